// Errors: what every error looks like, and how bad input is met on any operation.
import { suite } from '../lib/index.ts';
import { duties } from './errors/duties.ts';
import { malformed } from './errors/malformed.ts';
import { named } from './errors/named.ts';
import { observed } from './errors/observed.ts';
import { errorRules } from './errors/rules.ts';
import { undocumented } from './errors/undocumented.ts';

export default suite('errors', [...duties, ...named, ...malformed, ...undocumented, ...observed], errorRules);

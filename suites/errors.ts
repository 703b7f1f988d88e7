// Errors: what every error looks like, and how bad input is met on any operation.
import { suite } from '../lib/index.ts';
import { duties, malformed, named, observed } from './errors/cases.ts';
import { errorRules } from './errors/rules.ts';
import { undocumented } from './errors/undocumented.ts';

export default suite('errors', [...duties, ...named, ...malformed, ...undocumented, ...observed], errorRules);

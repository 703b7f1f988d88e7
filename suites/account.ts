// Endpoints / Account and team: the caller, the accounts, the active account and the team.
import { suite } from '../lib/index.ts';
import { acting } from './account/acting.ts';
import { reads } from './account/reads.ts';
import { accountRules } from './account/rules.ts';
import { foreign, switching } from './account/switching.ts';

export default suite('account', [...reads, switching, acting, ...foreign], accountRules);

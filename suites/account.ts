// Endpoints / Account and team: the caller, the accounts, the active account and the team.
import { suite } from '../lib/index.ts';
import { acting } from './account/acting.ts';
import { foreign } from './account/foreign.ts';
import { lists } from './account/lists.ts';
import { me } from './account/me.ts';
import { accountRules } from './account/rules.ts';
import { switching } from './account/switching.ts';

export default suite('account', [...me, ...lists, switching, acting, ...foreign], accountRules);

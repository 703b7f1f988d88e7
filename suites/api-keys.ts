// Endpoints / API keys: creating, listing and revoking keys, their owners and their secrecy.
import { suite } from '../lib/index.ts';
import { creation, pages, refusals } from './api-keys/cases.ts';
import { duties } from './api-keys/duties.ts';
import { revocation } from './api-keys/revocation.ts';
import { rightsAndOwners } from './api-keys/rights.ts';
import { keyRules } from './api-keys/rules.ts';

export default suite('api-keys', [...duties, creation, refusals, pages, revocation, ...rightsAndOwners], keyRules);

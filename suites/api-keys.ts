// Endpoints / API keys: making, listing and revoking keys, whose they are, and their secrecy.
import { suite } from '../lib/index.ts';
import { creation } from './api-keys/creation.ts';
import { duties } from './api-keys/duties.ts';
import { pages } from './api-keys/pages.ts';
import { refusals } from './api-keys/refusals.ts';
import { revocation } from './api-keys/revocation.ts';
import { rightsAndOwners } from './api-keys/rights.ts';
import { keyRules } from './api-keys/rules.ts';
import { secrecy } from './api-keys/secrecy.ts';

export default suite(
  'api-keys',
  [...duties, creation, refusals, ...pages, revocation, ...rightsAndOwners, ...secrecy],
  keyRules,
);

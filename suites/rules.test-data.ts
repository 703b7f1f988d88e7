// Rules for tests, each with the requirements that a test looks at: histories in, identifiers of what they break out.
import {
  type History,
  Judge,
  type JudgedId,
  type Rules,
  rules,
  together,
  type Violation,
  World,
} from '../lib/index.ts';
import { accountRules } from './account/rules.ts';
import { sessions } from './account/session-rules.ts';
import { mixups } from './account/view-rules.ts';
import { keyPages } from './api-keys/page-rules.ts';
import { keyRules } from './api-keys/rules.ts';
import { authenticationRules, foreignRules } from './authentication/rules.ts';
import { scopeRules } from './authentication/scope-rules.ts';
import { existence } from './companies/existence.ts';
import { companyRules } from './companies/rules.ts';
import { contactRules } from './contacts/rules.ts';
import { charsets, creations } from './envelope/creation-rules.ts';
import { origins, served, switched } from './envelope/rules.ts';
import { errorRules } from './errors/rules.ts';
import { idempotencyRules } from './idempotency/rules.ts';
import { noteRules } from './notes/rules.ts';
import { paginationRules } from './pagination/rules.ts';
import { slices, sorted } from './pagination/sort-rules.ts';
import { publicRules } from './public/rules.ts';
import { rateLimitRules } from './rate-limits/rules.ts';

type Find = (history: History) => readonly Violation[];

/** What the rules find; of these requirements alone, where a test looks at a part of an area. */
const finding =
  (all: Rules, ...only: readonly (JudgedId | RegExp)[]): Find =>
  (history) => {
    const judge = new Judge();
    all.apply(new World(history), judge);
    const isMeant = (id: string): boolean =>
      only.length === 0 || only.some((one) => (typeof one === 'string' ? one === id : one.test(id)));
    return judge.violations.filter(({ id }) => isMeant(id));
  };

const records = together(noteRules, companyRules, contactRules, keyRules);
export const ofBodies = finding(records, /-(missing|empty|blank|unknown|out-of-bounds|wrong-type|unparseable)/);
export const ofDeletions = finding(noteRules, 'notes-delete-result');
export const ofRecords = finding(
  records,
  /-(create-(fields|id|name|type|text|company|label)|record|reply|effect|edit-bounds|edit-others|list-contains)$/,
);
export const ofOrganizations = finding(companyRules, 'companies-create-fields');
export const ofTypes = finding(companyRules, /-record$/);
export const ofIdentifiers = finding(idempotencyRules, /create-id|key-none/);
export const ofServed = finding(rules([], served));
export const ofSwitched = finding(rules([], switched));
export const ofCreations = finding(rules([], creations));
export const ofForbidden = finding(records, /forbidden/);
export const ofSessions = finding(rules([], sessions));
export const ofThrottled = finding(rateLimitRules);
export const ofListed = finding(together(companyRules, contactRules), /-(once|list-contains|refused-effect)$/);
export const ofPagination = finding(paginationRules);
export const ofNotes = finding(noteRules);
export const ofKeyPages = finding(rules([], keyPages));
export const ofLists = finding(
  together(noteRules, paginationRules, authenticationRules),
  /^(notes-(create-once|create-refused|delete-e|delete-l|list-c|list-o|other)|pagination|errors|authentication)/,
);
export const ofAuthentication = finding(authenticationRules);
export const ofKeys = finding(keyRules, /^api-keys-(list|made|revoked|delete)/);
export const ofViews = finding(rules([], mixups));
export const ofExistence = finding(rules([], existence));
export const ofAccount = finding(accountRules);
export const ofAccounts = finding(accountRules, /^account-(accounts-(complete|only-own)|me-slug)$/);
export const ofSwitches = finding(accountRules, /account-active-(missing|unknown|foreign)-slug/);
export const ofScopes = finding(scopeRules);
export const ofTeam = finding(paginationRules, 'pagination-total-exact', 'pagination-has-more-last');
export const ofSorted = finding(rules([], sorted));
export const ofSlices = finding(rules([], slices));
export const ofPrimary = finding(contactRules, /-(create-primary|refused-effect|list-record)$/);
export const ofValidations = finding(publicRules);
export const ofNewContacts = finding(contactRules, /-(required-only|unicode|odd)$/);
export const ofNewKeys = finding(keyRules, /^api-keys-(create-(id|secret|key|created|works)|label-lengths)/);
export const ofRevocations = finding(keyRules, /^api-keys-(made-rights|revoke|list-last)/);
export const ofForeign = finding(foreignRules);
export const ofRefused = finding(authenticationRules, /-effect$|^authentication-malf/);
export const ofErrors = finding(errorRules);
export const ofOrigins = finding(rules([], origins));
export const ofCharsets = finding(rules([], charsets));
export const ofRepeats = finding(idempotencyRules, /-answer$/);

// All that suites may import: what a case is made of.
export type { Case, Context, Invariant, Suite, Tools } from './case.ts';
export { conforms, everyReply, suite } from './case.ts';
export { type JudgedId, judgedIds, type ObservedId, type RequirementId } from './catalogue/index.ts';
export {
  defaultLimits,
  type Operation,
  type OperationId,
  operationIds,
  operations,
  type RateClass,
} from './catalogue/operations.ts';
export { must, type OwnId, type OwnRows, observe, should } from './catalogue/requirement.ts';
export { type Api, graceMs } from './client/client.ts';
export { anonymous, type Credential } from './client/credential.ts';
export { beyondDoubt } from './client/doubt.ts';
export { Mismatch, NotTested, Unanswered, Undecided, Unkept } from './client/errors.ts';
export { isNamedByRun, nameMember } from './client/ledger.ts';
export { type Allowances, readLimits } from './client/limits.ts';
export { unauthenticated } from './client/pacing.ts';
export {
  at,
  dataOf,
  identifierNames,
  identifierOf,
  isObject,
  itemsOf,
  type JsonObject,
  type RecordKind,
  type Reply,
  type Sent,
  textsIn,
  usualIdentifiers,
  walk,
  wasAccepted,
} from './client/reply.ts';
export type { Call } from './client/request.ts';
export { secondsToWait } from './client/seconds-to-wait.ts';
export { eventuallySeen, lagMsMax } from './expect/eventually.ts';
export {
  expectAbsent,
  expectCode,
  expectEqual,
  expectSchema,
  expectStatus,
  expectSuccess,
  expectThat,
  expectUnauthorized,
  property,
} from './expect/expect.ts';
export { type Traversal, traverse, type Way } from './expect/traverse.ts';
export { type Fixtures, ifPossible } from './fixtures/fixtures.ts';
export { keyMaximum } from './fixtures/key-capacity.ts';
export {
  type Memberships,
  preferenceAmong,
  readAccounts,
} from './fixtures/memberships.ts';
export { probeTitle } from './fixtures/probe.ts';
export type { Company, Contact, MadeKey, Maker, Note } from './fixtures/records.ts';
export { expectRight } from './fixtures/records.ts';
export { identifiersIn, type Membership, namesOf, singleSlugs, slugsIn } from './fixtures/slugs.ts';
export { knownOrganization } from './fixtures/valid-requests.ts';
export { type Accounts, session } from './model/accounts.ts';
export { isStored } from './model/callers.ts';
export {
  borrowedRule,
  forbiddenRule,
  lacksOwn,
  listedRule,
  restricted,
} from './model/created-rules.ts';
export { isAmidDeletions, wasThere } from './model/existence.ts';
export type { History } from './model/history.ts';
export { Judge, type Rule, type Rules, rules, together, type Violation } from './model/judge.ts';
export { type KeyLifetime, type Keys, scopesIn, validatedIn } from './model/keys.ts';
export { kindShown, markedRecordsIn } from './model/marks.ts';
export { areSame, companyTexts, contactTexts, fieldNames, isFirm, isNothing, members } from './model/members.ts';
export { isWholeList, type MissingNote, type NoteLists, noteListsOf } from './model/note-lists.ts';
export { countOf, isByOffset, type ListPage } from './model/pages.ts';
export { type Change, recordRule } from './model/record-rules.ts';
export {
  type Defect,
  type DefectOf,
  either,
  isContactType,
  isIdentifier,
  isValidRecord,
  leftNothingRule,
  refusalRule,
  refusedAs,
  stillThereRule,
  tooLong,
} from './model/refusal-rules.ts';
export * from './model/request.ts';
export { windowOf } from './model/timeline.ts';
export { typeRule } from './model/type-rules.ts';
export { recordsIn, type StoredRecord, World } from './model/world.ts';
export { createdIn, writeOf } from './model/writes.ts';
export { defined, unless } from './runtime/defined.ts';
export { computedOnce, firstPlace, formerOf, grouped } from './runtime/grouped.ts';
export { covering, idempotencyKey, type Random } from './runtime/random.ts';
export { wordOf } from './runtime/text.ts';
export { usualText, usualTexts } from './runtime/usual-texts.ts';
export { instant } from './schema/instant.ts';
export { isBase64, violations } from './schema/schema.ts';

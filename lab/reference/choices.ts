// The choices: every place where the interface document leaves the server a choice, and the lawful values there.

/** What the interface document leaves open. In each line the first value is the default. */
export interface Choices {
  /** Name of the identifier in records that the document does not show (Fields of other records). */
  companyIdentifier: 'id' | 'company_id';
  noteIdentifier: 'id' | 'note_id';
  contactIdentifier: 'id' | 'contact_id';
  /** Whether a contact's identifier is a number or a text; no path takes it. */
  contactIdentifierType: 'integer' | 'text';
  /** The first identifier; the document says only that identifiers are integers. */
  firstIdentifier: number;
  /** Values that a record was not given: null, left out, or what an empty record would have ([] and false). */
  absent: 'null' | 'omitted' | 'defaults';
  /** Adds unknown members to every record and every envelope. */
  extraFields: boolean;
  /** A phone with everything that was given, or only its number, type and extension. */
  phoneRecord: 'full' | 'bare';
  /** White space around the text of a note. */
  outerSpace: 'kept' | 'trimmed';
  /** An org_id that names no known organisation (known: 1001 to 1099). */
  unknownOrganization: 'accept' | 'refuse';
  /** What a second primary contact does to the first. */
  secondPrimary: 'keeps' | 'demotes';

  /** Form of every date-time; one without an offset is UTC. */
  timestamps: 'millis' | 'seconds' | 'offset' | 'naive';
  /** Form of request_id. */
  requestIds: 'prefixed' | 'uuid';

  /** Order of cursor lists. */
  listOrder: 'newest' | 'oldest';
  /** 0, or the most records that a page of a cursor list carries although its limit is higher. */
  shortPages: number;
  cursorAlphabet: 'base64url' | 'base64' | 'base64-unpadded';
  /** A limit or an offset that is outside its bounds or not an integer. */
  limitOutOfRange: 'refuse' | 'clamp';
  firstPageCursor: 'null' | 'absent';
  lastPageCursor: 'null' | 'absent';
  /** Whether `sort` is understood at all; otherwise it is always refused with 400. */
  sortSupported: boolean;
  /** How long, in milliseconds and up to 5000, a new record stays out of lists and totals. */
  listLagMs: number;
  accountsPaginated: boolean;
  teamMode: 'cursor' | 'offset';
  /** Whose keys the list of keys shows: the caller's, or everybody's in the account. */
  keysListed: 'own' | 'account';
  /** Whether all keys are numbered in one row, or those of each account in one of its own. */
  keysNumbered: 'together' | 'by-account';

  /** Status of a refused value where the document names none. */
  refusal: 422 | 400;
  noteEmptyOnCreate: 422 | 400;
  /** A contact whose company does not exist in the account. */
  unknownContactCompany: 404 | 422;
  /** Whether a path's record is looked up before or after the body is validated. */
  checkOrder: 'existence-first' | 'body-first';
  /** A body whose content type is not application/json. */
  unknownContentType: 'refuse' | 'ignore';
  /** A request without X-Origin-App. */
  missingOriginApp: 'accept' | 'refuse';
  wrongMethod: 405 | 404;

  /** The scheme `bearer` in other case. */
  bearer: 'any-case' | 'exact';
  /** A foreign or unknown X-Active-Account. */
  foreignActiveAccount: 403 | 404;
  /** What X-Active-Account may hold. */
  activeAccountValue: 'slug-or-id' | 'slug' | 'id';
  /** Where GET /me puts the account and the scopes. */
  meShape: 'nested' | 'flat';
  /** The form of `platform.rate_limits`. */
  rateLimitsShape: 'numbers' | 'objects' | 'array' | 'texts';

  /** Whether keys can be made through the interface (403 otherwise). */
  keyCreation: boolean;
  restrictedMayCreateKeys: boolean;
  /** The maximum number of keys of an account; one more is refused with 403. */
  maxKeys: number;
  unknownKeyDeletion: 404 | 403 | 'not-deleted';
  foreignKeyDeletion: 404 | 403 | 'not-deleted';
  lastUsedAt: 'tracked' | 'never';
  /** How validate shows that an invalid key has no user, account, scopes and tier. */
  invalidKeyDetails: 'absent' | 'null';

  /** A repeat of a finished write: its reply again, 409, or its data in a new envelope. */
  replay: 'stored' | 'conflict' | 'fresh-envelope';
  /** The same key with another body. */
  reusedIdempotencyKey: 'refuse' | 'replay';
  /** Whether creating companies and contacts honours Idempotency-Key as well. */
  idempotentCreates: boolean;

  /** Fixed windows from the first request, a sliding window, one by weights, a bucket that refills, or windows of the clock's minutes. */
  limiter: 'fixed' | 'sliding' | 'weighted' | 'bucket' | 'aligned';
  /** Whether refused requests count too. */
  refusedCount: boolean;
  /** Whose budget a validation counts against: the account of the checked key, or one that all clients share. */
  validateBudget: 'key-account' | 'client';
  /** Wording of the 429 message. */
  waitMessage: 'wait' | 'after' | 'in' | 'seconds-first';
  retryAfter: boolean;
}

type ChoiceValues = { readonly [Name in keyof Choices]: readonly [Choices[Name], ...Choices[Name][]] };

/** The lawful values of each choice, the default first; a few examples where they are numbers. */
export const choiceValues: ChoiceValues = {
  companyIdentifier: ['id', 'company_id'],
  noteIdentifier: ['id', 'note_id'],
  contactIdentifier: ['id', 'contact_id'],
  contactIdentifierType: ['integer', 'text'],
  firstIdentifier: [1, 40_000, 2_000_000_000],
  absent: ['null', 'omitted', 'defaults'],
  extraFields: [false, true],
  phoneRecord: ['full', 'bare'],
  outerSpace: ['kept', 'trimmed'],
  unknownOrganization: ['accept', 'refuse'],
  secondPrimary: ['keeps', 'demotes'],
  timestamps: ['millis', 'seconds', 'offset', 'naive'],
  requestIds: ['prefixed', 'uuid'],
  listOrder: ['newest', 'oldest'],
  shortPages: [0, 1, 7],
  cursorAlphabet: ['base64url', 'base64', 'base64-unpadded'],
  limitOutOfRange: ['refuse', 'clamp'],
  firstPageCursor: ['null', 'absent'],
  lastPageCursor: ['null', 'absent'],
  sortSupported: [true, false],
  listLagMs: [0, 1_000, 5_000],
  accountsPaginated: [false, true],
  teamMode: ['cursor', 'offset'],
  keysListed: ['own', 'account'],
  keysNumbered: ['together', 'by-account'],
  refusal: [422, 400],
  noteEmptyOnCreate: [422, 400],
  unknownContactCompany: [404, 422],
  checkOrder: ['existence-first', 'body-first'],
  unknownContentType: ['refuse', 'ignore'],
  missingOriginApp: ['accept', 'refuse'],
  wrongMethod: [405, 404],
  bearer: ['any-case', 'exact'],
  foreignActiveAccount: [403, 404],
  activeAccountValue: ['slug-or-id', 'slug', 'id'],
  meShape: ['nested', 'flat'],
  rateLimitsShape: ['numbers', 'objects', 'array', 'texts'],
  keyCreation: [true, false],
  restrictedMayCreateKeys: [true, false],
  maxKeys: [50, 10, 20, 1_000],
  unknownKeyDeletion: [404, 403, 'not-deleted'],
  foreignKeyDeletion: [404, 403, 'not-deleted'],
  lastUsedAt: ['tracked', 'never'],
  invalidKeyDetails: ['absent', 'null'],
  replay: ['stored', 'conflict', 'fresh-envelope'],
  reusedIdempotencyKey: ['refuse', 'replay'],
  idempotentCreates: [true, false],
  limiter: ['fixed', 'sliding', 'weighted', 'bucket', 'aligned'],
  refusedCount: [false, true],
  validateBudget: ['key-account', 'client'],
  waitMessage: ['wait', 'after', 'in', 'seconds-first'],
  retryAfter: [true, false],
};

/** The default of each choice. */
export const defaultChoices: Choices = Object.fromEntries(
  Object.entries(choiceValues).map(([name, [first]]) => [name, first]),
) as unknown as Choices;

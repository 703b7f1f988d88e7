// Rulings on how the document is read at all, on envelope and errors, and on credentials and accounts.
import { register } from './requirement.ts';

const principles = register({
  'silent-is-observed': {
    question: 'What holds where the document says that something is not shown?',
    readings: ['whatever is usual', 'nothing'],
    ruling: 'Nothing is demanded; what the target does is recorded.',
    why: 'A demand without a sentence behind it accuses correct software.',
  },
  'both-readings-pass': {
    question: 'What if a sentence has two defensible readings?',
    readings: ['the stricter counts', 'either counts'],
    ruling: 'Either passes, and which one was met is recorded.',
    why: 'An implementer had nothing but the same sentence.',
  },
  'extra-is-lawful': {
    question: 'May replies carry members that the document does not name?',
    readings: ['the tables are complete', 'the tables are a minimum'],
    ruling: 'Further members and another order are lawful, unless a sentence says only.',
    why: 'Adding members is how interfaces grow without breaking anybody.',
  },
  'effect-over-form': {
    question: 'Is a refusal proved by its status?',
    readings: ['by the status', 'by what has changed'],
    ruling: 'What counts is the state afterwards: a refused write has changed nothing.',
    why: 'A correct status over a changed record is the worse defect.',
  },
  'otherwise-valid': {
    question: 'In which order are credentials, existence and body checked?',
    readings: ['credentials first', 'any order'],
    ruling: 'Any order; each negative case has one defect and is valid in all else.',
    why: 'The document states no order.',
  },
  'open-input': {
    question: 'What does a reply show whose request holds something of which the document does not say what it does?',
    readings: ['what any other reply shows', 'nothing that depends on it'],
    ruling:
      'Nothing that depends on it. Such are an X-Active-Account of others, parameters that the row does not name, fields that a record may not have, and further members and headers. Envelope, error body and secrecy hold all the same, and no such value opens an account of others.',
    why: 'A target may honour it, refuse it, leave it out or put a default in its place, and what it then leaves out says nothing.',
  },
  'valid-refused': {
    question: 'What if a request that other tests start from is refused?',
    readings: ['they are not tested', 'the service is wrong'],
    ruling:
      'Where nothing else shows what is wrong with that operation, its refusal is the failure. Excepted are 403, sessions, an active account by header, new keys and company edits. A creation with nothing unusual in it is judged for whoever makes such records otherwise, contacts of that type at that company.',
    why: "Rights, active accounts and the maximum of keys are the operator's, and the body of a company edit is not shown.",
  },
  'not-alone': {
    question: 'May the suite count all records of an account?',
    readings: ['yes', 'only its own'],
    ruling: 'Only records that bear the name of the run are looked for.',
    why: 'Others may add records during a run, and there are older ones.',
  },
  'client-duties': {
    question: 'Are sentences about clients, such as backing off and retrying, requirements?',
    readings: ['on the client', 'on the service'],
    ruling: 'They bind clients only; what the service must do to make them possible is a requirement.',
    why: 'The suite examines a service.',
  },
});

const envelope = register({
  'json-label': {
    question: 'Does "all bodies are JSON" fix the Content-Type of replies?',
    readings: ['body and label', 'body alone'],
    ruling: 'The body is a must, the label a should; any JSON media type passes.',
    why: 'The header is listed for requests only, though every client expects it.',
  },
  'byte-order-mark': {
    question: 'May a byte order mark stand before the JSON of a reply?',
    readings: ['no, RFC 8259 forbids to send one', 'yes, RFC 8259 lets readers ignore it'],
    ruling: 'Either: the suite reads on behind it, and where one stands is recorded.',
    why: 'The document says JSON and no more; some clients skip the mark, others cannot parse what follows.',
  },
  'request-id-uniqueness': {
    question: 'How far does a request_id identify a request?',
    readings: ['every reply has its own', 'successes have', 'equal ones are allowed'],
    ruling: 'A non-empty text, different on each success; a stored replay may repeat it; on errors it is recorded.',
    why: 'A text that two requests share identifies neither, and gateways may answer errors.',
  },
  'timestamp-form': {
    question: 'Which date-times are ISO 8601?',
    readings: ['RFC 3339 with offset', 'every ISO form'],
    ruling: 'Every ISO 8601 date-time; without offset it is read as UTC, and that is recorded.',
    why: 'The document names the wider standard.',
  },
  'timestamp-clock': {
    question: 'How close to the response is its time?',
    readings: ['exactly', 'within the error of clocks'],
    ruling:
      'Within five minutes of the Date header, else of the client; and it moves within five seconds, of which three replies are asked, as the clocks of two nodes may differ. Stored replays are excepted.',
    why: 'Clocks differ, but a constant is not the time of a response.',
  },
  'pagination-presence': {
    question: 'Which operations are lists?',
    readings: ['those with pagination in their row', 'all that return several records'],
    ruling:
      'Team, keys, companies, notes and contacts are; the two account lists may be; the mode of the team list is open.',
    why: 'Only those five rows speak of pagination.',
  },
  'billing-data': {
    question: 'Is the data of the billing operations an object?',
    readings: ['an object', 'an array, such as one balance for each kind of credit'],
    ruling: 'Either.',
    why: 'Of billing no field is shown, and data is an object or an array.',
  },
  'origin-app': {
    question: 'What becomes of a request without X-Origin-App?',
    readings: ['refused', 'served'],
    ruling: 'The suite always sends it; its absence is recorded. Its value is free text.',
    why: 'It is marked as required, yet no error is named for its absence.',
  },
});

const errors = register({
  'error-envelope-reach': {
    question: 'Does every error have the error body, also outside the interface?',
    readings: ['every reply of the host', 'replies of documented operations'],
    ruling:
      'A must on documented operations whatever the cause; a should on unknown paths, wrong methods and long queries.',
    why: 'A gateway in front may answer what never reaches the service.',
  },
  'refusal-status': {
    question: 'Which status does invalid input get that is not named with one?',
    readings: ['400', '422'],
    ruling: 'Exact where the very case is named; elsewhere 400, 422 and another 4xx that fits pass.',
    why: 'Malformed and invalid overlap in the table of statuses.',
  },
  'missing-member': {
    question: 'When is a member missing?',
    readings: ['absent', 'absent, null or empty'],
    ruling: 'Absent from an object; null, empty and wrong types are refused too, with 400 or 422.',
    why: 'The word is exact; a required member that holds nothing is invalid.',
  },
  'empty-note-create': {
    question: 'Which status does an empty text get when a note is created?',
    readings: ['400 as empty', '422 as blank'],
    ruling: 'Both pass.',
    why: 'The table of errors names 400 for empty, the row of the operation 422 for blank.',
  },
  'blank-meaning': {
    question: 'What is a blank text?',
    readings: ['spaces, tabs and line breaks', 'all Unicode white space'],
    ruling: 'The former is judged, the latter recorded.',
    why: 'Languages disagree on Unicode blanks.',
  },
  'bad-json': {
    question: 'What does a body that cannot be parsed get?',
    readings: ['400', 'any error'],
    ruling: 'Envelope and no effect are a must, 4xx is a should; no answer at all, three times over, is a failure.',
    why: 'The document calls 400 malformed, but does not list this case.',
  },
  'server-errors': {
    question: 'Is a 5xx ever a correct answer to wrong input?',
    readings: ['never', 'where the input is not named'],
    ruling:
      'For named defects it fails, and for plain requests that name none; for other undocumented input it is a SHOULD. A reply that a gateway could have made (5xx, 408 or 429 without the envelope, a body that is not JSON, none at all) counts only if it comes every time, six times over 15 seconds, while the server answers its health. What has the whole envelope with more before or behind it, or refuses for the limit in the very words of the other refusals, is of the target itself.',
    why: 'A named defect was foreseen.',
  },
});

const credentials = register({
  'public-credentials': {
    question: 'What do public operations do with bad credentials?',
    readings: ['ignore them', 'refuse them'],
    ruling:
      'Without credentials they work, but a body with a charset may be refused for that; with bad ones is recorded.',
    why: 'Needing none says nothing of wrong ones.',
  },
  'bad-tokens': {
    question: 'What is an invalid token?',
    readings: ['any unexpected header', 'a Bearer token that is neither a live key nor a session'],
    ruling:
      'The latter is judged; bare tokens and letter case are recorded. What is no Bearer token by the grammar of HTTP, or of another scheme, is refused with whatever status. Tampering changes the middle of a part.',
    why: 'HTTP allows schemes in any case, and the last character of base64 may carry unused bits.',
  },
  'scope-evidence': {
    question: 'How are scopes to be found in replies whose fields are not shown?',
    readings: ['under scopes', 'anywhere'],
    ruling:
      'Anywhere in GET /me, in the scopes array of the validation. A session that lacks the scope and an account is refused with 400, 403 or 422. Held is what opened an operation, lacking what closed it.',
    why: 'GET /me may also list what exists; the validation returns the scopes of this key.',
  },
  'caller-evidence': {
    question: 'What shows that a reply is about the caller?',
    readings: ['by its fields', 'by comparison'],
    ruling: 'Two users on two accounts must get different data.',
    why: 'The fields of the profile are not shown.',
  },
  'rate-limits-shape': {
    question: 'Which shape does platform.rate_limits have?',
    readings: ['numbers by class', 'objects, arrays or texts'],
    ruling:
      'It must exist where the caller has an account, as the limits are per account; any shape passes and is read as well as possible.',
    why: 'Only its name is shown.',
  },
  'key-maximum': {
    question: 'Is the maximum number of keys judged?',
    readings: ['its presence', 'its effect', 'neither'],
    ruling:
      'Recorded only, presence and effect. A key that is forbidden although its label is what is wrong counts where the sender makes one later, before any was revoked: there was room.',
    why: 'Neither name nor number is shown, and filling an account would harm it.',
  },
  'foreign-records': {
    question: 'Do companies, contacts and notes belong to one account, and which status hides them from another?',
    readings: ['to one account', 'to all accounts that share deals, or to the platform'],
    ruling:
      'That they are kept apart is a should: any 4xx hides them, nothing is shown and nothing changes. A contact that lies in the account of its writer may name any company. Keys, billing, scopes and accounts are a must.',
    why: 'Every reader expects it, but no sentence says whose they are; that a key reaches one account, and billing is that of the active one, is said.',
  },
  'numbers-of-accounts': {
    question: 'Is the identifier of a company or a key unique beyond its account?',
    readings: ['it is', 'each account numbers its own'],
    ruling:
      'Both pass. What a caller may have of its own under the number is neither written to nor revoked, and is then observed or not tested. Of the companies of a run with one number, that of the account that uses the number most is judged, and none where it is unknown which account wrote to one; those that cases share are made again, until no other has the number, up to four times, and each counts among the companies of its name.',
    why: 'It is an integer, and no more is said; a run must not touch what it has not made.',
  },
});

const accounts = register({
  'slug-place': {
    question: 'Where do account slugs stand, and what does unscoped mean for GET /me?',
    readings: ['in one account', 'in a list of all'],
    ruling:
      "Any text under a name that ends in slug, found in the data of a session. In a list of accounts a record's own slug is the account's; only where it has none, that under another name or in an inner record. Where validate names an account otherwise than the lists do, the slug in the key's own GET /me says whether a session shares it. Under X-Active-Account GET /me need not show a slug: unscoped is how it shows one, and the value need not be of the form that the target takes. Letter case may be ignored; a slug of other characters than those shown, of one character or a word such as null may be refused for that.",
    why: 'Fields are not shown; one usable slug satisfies every reading, and plans, roles and parents may have slugs, too.',
  },
  'active-account-evidence': {
    question: 'How does the active account become visible?',
    readings: ['in the profile', 'in what the session does'],
    ruling:
      'In the account_id of a key made by the session, and in billing where two accounts differ; a balance that moves by itself shows no switch, and neither does one that lies near that of the other account, a member that only one of two nodes shows, or a value that two nodes spell in two ways. A run restores what it switched; a session without a stored account names one by header until it has.',
    why: 'Only these views are tied to the active account by a sentence, and none says that a session starts with one.',
  },
  'active-account-key': {
    question: 'May an API key switch accounts?',
    readings: ['yes, it has the preference of its user', 'no, its account is fixed'],
    ruling:
      'Recorded only. In a run without a session, where each switch is refused, the duties of every success are judged on the other operations.',
    why: 'A key belongs to one account, and the row names no error for it.',
  },
  'active-account-header': {
    question: 'Which value does X-Active-Account take, and what goes first?',
    readings: ['slug', 'an identifier of the account'],
    ruling:
      'Each is tried, also references, keys, codes and numbers in its record, and one must work; it goes before the stored preference, never moves a key, and never opens a foreign account.',
    why: 'The form is not shown; the order follows from choosing per request.',
  },
});

export const requestRulings = { ...principles, ...envelope, ...errors, ...credentials, ...accounts };

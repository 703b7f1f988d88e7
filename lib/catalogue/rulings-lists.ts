// Rulings on lists, idempotency and rate limits.
import { register } from './requirement.ts';

const lists = register({
  'traversal-records': {
    question: 'What does stable without duplicates or skips promise?',
    readings: ['a snapshot', 'no loss of records that stay'],
    ruling: 'Each record that exists throughout appears exactly once; where new ones appear, and the order, is open.',
    why: 'Both a snapshot and a keyset satisfy it.',
  },
  'offset-traversal': {
    question: 'When can offset pages be judged?',
    readings: ['always', 'while nothing changes'],
    ruling: 'Between two full readings that agree.',
    why: 'The document itself lets them shift when data change.',
  },
  'total-scope': {
    question: 'What does total count?',
    readings: ['the page', 'the whole list'],
    ruling:
      'The whole list, equal on every page; exact where only the run writes, elsewhere between equal readings. A list that was shown whole counts itself, and one from which others are seen to take is not counted from outside.',
    why: 'A total of a page would be its length.',
  },
  'list-lag': {
    question: 'Must a list show a write at once?',
    readings: ['at once', 'soon'],
    ruling:
      'Within five seconds for lists and totals, each by itself; reads by id and revocations do not lag. A page may be older than the one before it: what differs is read once more after that time, and only what was there at first as well counts.',
    why: 'No sentence promises it at once, yet a list that stays behind is wrong.',
  },
  'has-more-judged': {
    question: 'When is has_more wrong?',
    readings: ['when the next page is empty', 'when the replies contradict each other'],
    ruling: 'True after total records were delivered, true without next_cursor, false before all were delivered.',
    why: 'Others may write during the reading.',
  },
  'page-length': {
    question: 'May a page be shorter than its limit, or empty, while records remain?',
    readings: ['no', 'yes'],
    ruling:
      'It may and is recorded; it is never longer. Lists are read to the end. Has_more for ever is wrong once as many records were delivered as the list had at most.',
    why: 'A limit is a bound from above, and the client goes on until has_more is false.',
  },
  'team-parameters': {
    question: 'Does the team list take limit, cursor and offset?',
    readings: ['as every list', 'none of them'],
    ruling:
      'What they do there is recorded; its page, as it comes without them, is judged: by itself where another node names its members otherwise.',
    why: 'Its row names no request parameters, although all list operations return pages.',
  },
  'limit-range': {
    question: 'What happens to a limit or offset out of range?',
    readings: ['refused', 'clamped'],
    ruling:
      'Both pass; what is served and reported stays within range. 50 is the default in both modes. An offset has no maximum: one beyond the end is a page without records, and may be reported as the end.',
    why: 'A range is given, but no status for leaving it.',
  },
  'cursor-nulls': {
    question: 'What do cursor and next_cursor hold at the ends of a list?',
    readings: ['null', 'absent'],
    ruling: 'Both pass at the ends; later pages have a cursor, whose value is recorded.',
    why: 'Null is stated for the first cursor only, and clients read absent alike.',
  },
  'cursor-uses': {
    question: 'Is a cursor good for more than one request?',
    readings: ['always', 'once'],
    ruling: 'Recorded. One that was not served yet must be; a second use may be refused.',
    why: 'The client passes it to get the next page; nothing says that it may come back.',
  },
  'cursor-form': {
    question: 'Which base64?',
    readings: ['standard with padding', 'any alphabet'],
    ruling: 'Both alphabets, padded or not; sent back as it came, percent-encoded.',
    why: 'The word names no variant, and the content is opaque.',
  },
  'sort-values': {
    question: 'How can sort be tested when its values are not shown?',
    readings: ['not at all', 'with whatever the target accepts'],
    ruling:
      'An accepted value is looked for: one that leads to offsets, or changes the order. Without one, 400 or another 4xx to -created_at with a cursor passes, a success fails, and the rest is not offered.',
    why: 'The rules on sort are stated although its values are not.',
  },
  'fields-identifier': {
    question: 'May fields keep more than was named?',
    readings: ['nothing more', 'the identifier too'],
    ruling:
      'The identifier may stay, under each of its names: whatever carries its value, a link among it, and one of another form beside it under a usual name.',
    why: 'A record without identifier is of little use, and many servers keep it.',
  },
  'fields-within': {
    question: 'Must a chosen member look the same within as it does in the whole record?',
    readings: ['to the letter', 'in what both show'],
    ruling:
      'Members of a phone that only one of the two shows, their order, and an empty list for none pass; numbers may stand beside the phones, and within them where only these are chosen.',
    why: 'Where the E.164 number stands in a contact is not shown, and members beyond the documented ones are free.',
  },
});

const idempotency = register({
  'idempotency-levels': {
    question: 'Which writes honour an Idempotency-Key?',
    readings: ['all', 'note create and edit'],
    ruling:
      'Must on these two, should on company and contact creation, recorded on key creation and note deletion, elsewhere not tested.',
    why: 'The header is recommended on writes and listed on two of them.',
  },
  'idempotency-replay': {
    question: 'What does a repeated request get?',
    readings: ['the stored reply', 'a conflict'],
    ruling:
      'A success with the same note or 409, never 5xx or another note. One operation has taken place. While the first runs a conflict is lawful.',
    why: 'The purpose stated is to prevent a duplicate, not a form of reply.',
  },
  'idempotency-span': {
    question: 'How long can a key be watched?',
    readings: ['a day', 'the run'],
    ruling: 'The first key is repeated last, after at least five seconds and ten other keys.',
    why: 'Small or short-lived stores are found this way; a day is not.',
  },
  'idempotency-keys-apart': {
    question: 'What makes two requests the same operation?',
    readings: ['the key', 'key, path, body and account'],
    ruling:
      'Different keys, and no keys, are different operations; the same key with anything else changed is recorded; from another account it may be refused, and never shows what that account made.',
    why: 'The document speaks of the same key for the same retry only.',
  },
  'idempotency-key-form': {
    question: 'What is an Idempotency-Key that is not a UUID?',
    readings: ['a key like any other', 'refused', 'ignored'],
    ruling: 'Open and recorded; only writes under UUIDs are judged.',
    why: 'The header is shown with a UUID, and nothing is said of another form.',
  },
});

const rates = register({
  'rate-algorithm': {
    question: 'How is a minute counted?',
    readings: ['aligned', 'sliding', 'as a bucket'],
    ruling: 'Each passes; refused requests may count too.',
    why: 'Per minute names no algorithm.',
  },
  'rate-burst': {
    question: 'How is a limit shown to be enforced?',
    readings: ['by one request more', 'by a burst'],
    ruling:
      'A burst of one and a half limits, refill allowed for, up to three times in quiet minutes; refused early counts when it happens twice of three, and by less than a fifth when five bursts are refused after the same number. A page or an error that comes in place of every refusal, in each of three minutes that served all up to the limit, is no refusal.',
    why: 'One burst may straddle two windows, and what sends requests twice on the way adds to a count.',
  },
  'rate-reported-number': {
    question: 'Which number is the limit?',
    readings: ['the default', 'what GET /me reports'],
    ruling:
      'The number that GET /me reports for that account, and it is judged as such; the configuration stands in where it cannot be read.',
    why: 'Actual values are said to appear there.',
  },
  'rate-classes': {
    question: 'What is counted together?',
    readings: ['everything of an account', 'each class of an account'],
    ruling:
      'Reads, writes and validations apart, all keys of an account together, with a session that names it in X-Active-Account and has stored it. To whom a session is charged that names another account than the stored one, to whom a validation is charged, requests without account, replays under an Idempotency-Key, and requests that are refused for another reason, are open: only what is accepted while its class is spent, more often than a bucket may have regained, was not counted. Others may use an account, too: what is refused beside a spent class is asked again after two minutes.',
    why: 'The table has one row a class, and limits are per account; whether a 404 is answered before the count is not said.',
  },
  'rate-seconds': {
    question: 'Which number in the message is the wait?',
    readings: ['the only one', 'the one after wait'],
    ruling:
      'The one after wait, after or in; else the only one with a unit of seconds; else the largest up to a minute. More than ten minutes is no wait of a limit per minute. One second of grace; refused after it, it is asked once more, as a clock may have been put back.',
    why: 'The wording is not shown.',
  },
});

export const listRulings = { ...lists, ...idempotency, ...rates };

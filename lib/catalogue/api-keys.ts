// API keys: creating, listing and revoking them, and what a created key may do.
import { must, observe, requirements, should, untestable } from './requirement.ts';

const created = requirements('api-keys', 'Resources and their fields / API key, row api_key', {
  'api-keys-create-id': must('A new key has an integer id that differs from that of every other key', {
    at: 'Resources and their fields / API key, row id',
    impact: 'The key cannot be revoked, or another is revoked in its place.',
    rulings: ['key-numbers'],
  }),
  'api-keys-create-label': must('A new key carries the label that it was given, unchanged', {
    at: 'Resources and their fields / API key, row label',
    impact: 'People cannot see which key belongs to which application.',
    rulings: ['round-trip'],
  }),
  'api-keys-create-secret': must(
    'The reply to a creation carries the full secret in api_key, a text that begins with svc_sk_',
    { impact: 'The key can never be used, for it is shown at no other time.' },
  ),
  'api-keys-create-key-prefix': must('The key_prefix of a key is the beginning of its secret', {
    at: 'Resources and their fields / API key, row key_prefix',
    impact: 'Nobody can match a key in a configuration with a key in the list.',
  }),
  'api-keys-create-created-at': must('A new key carries created_at as a date-time', {
    at: 'Resources and their fields / API key, row created_at',
    impact: 'Rotation by age does not work.',
    rulings: ['timestamp-form'],
  }),
  'api-keys-create-works': must('A new key is accepted from the first request after its creation', {
    at: 'Authentication, row API key',
    impact: 'Automated set-up fails at random.',
    rulings: ['key-creation-off'],
  }),
  'api-keys-list-record': must(
    'A listed key has the id, label, key_prefix and created_at of its creation, and a date-time where it has a last_used_at',
    {
      at: 'Resources and their fields / API key, rows id to last_used_at',
      impact: 'The key cannot be found again to revoke it.',
      rulings: ['last-used-fresh'],
    },
  ),
  'api-keys-list-last-used-moves': should('A key that was used has a last_used_at in the list', {
    at: 'Resources and their fields / API key, row last_used_at',
    impact: 'Keys in use look abandoned and are revoked.',
    rulings: ['last-used-fresh', 'list-lag'],
  }),
  'api-keys-list-no-secret': must('The list of keys holds no secret, under any name', {
    impact: 'One key that may read the list gives away all others.',
    rulings: ['key-secrecy'],
  }),
  'api-keys-secret-elsewhere': must('No other reply, neither profile nor validation nor revocation, holds a secret', {
    impact: 'Secrets end up in logs of replies.',
    rulings: ['key-secrecy'],
  }),
  'api-keys-secret-outside': untestable(
    'The secret of a key is never shown again by other means than this interface',
    'web pages, e-mails and logs of the service are out of reach of a client',
  ),
});

const rights = requirements('api-keys', 'Resources and their fields / API key, paragraph 1', {
  'api-keys-made-identity': must('A key belongs to the user and to the account of the key that made it', {
    impact: 'Deeds are recorded under another user, or data go into the wrong firm.',
    rulings: ['made-key-identity'],
  }),
  'api-keys-made-scopes': must('The scopes that the validation returns for a key are those of its maker', {
    impact: 'The client offers or hides functions wrongly.',
    rulings: ['made-key-identity', 'scope-evidence'],
  }),
  'api-keys-made-rights': must('A key may do what its maker may do, no more and no less', {
    impact: 'A restricted user gains rights by making a key, or an integration lacks them.',
    rulings: ['made-key-identity', 'key-creation-off'],
  }),
});

const creation = requirements('api-keys', 'Endpoints / API keys, row POST /api-keys', {
  'api-keys-label-lengths': must('A label of 1 or of 255 characters, in any script, is accepted and kept whole', {
    impact: 'Lawful labels are refused or cut.',
    rulings: ['characters-not-bytes'],
  }),
  'api-keys-label-missing': must('A creation whose label is absent, null or not a text is refused with 400 or 422', {
    impact: 'Nameless keys, or labels such as null, pile up.',
    rulings: ['refusal-status', 'missing-member'],
  }),
  'api-keys-label-out-of-bounds': must('A label of 0 or of 256 characters is refused with 400 or 422', {
    impact: 'Nameless keys pile up, or labels are cut silently.',
    rulings: ['refusal-status', 'characters-not-bytes'],
  }),
  'api-keys-create-refused-effect': must('A refused creation leaves no key behind', {
    impact: 'Live keys exist that nobody holds.',
    rulings: ['effect-over-form', 'not-alone'],
  }),
  'api-keys-label-blank': observe('What does a label of nothing but spaces answer?'),
  'api-keys-label-duplicate': observe('Can two keys have the same label?'),
  'api-keys-create-restricted': observe('What does key creation answer to a user with few rights?', {
    at: 'Endpoints / API keys, paragraph 1',
    rulings: ['key-creation-off'],
  }),
  'api-keys-create-beyond-maximum': observe('What does key creation answer when the account has its maximum?', {
    at: 'Limits / Other limits, point 3',
    rulings: ['key-maximum'],
  }),
  'api-keys-create-in-web': untestable(
    'In the web app only a workspace admin of an account with the feature can make keys',
    'the web app is not part of this interface',
    'Endpoints / API keys, paragraph 1',
  ),
});

const listing = requirements('api-keys', 'Limits / Pagination, rule 4', {
  'api-keys-list-contains': must('A new key appears in the list', {
    at: 'Endpoints / API keys, row GET /api-keys',
    impact: 'A key that cannot be found cannot be revoked.',
    rulings: ['list-lag', 'key-list-owners'],
  }),
  'api-keys-list-pagination': must(
    'The pagination of the key list has integer total and limit, boolean has_more, and the offset asked for or 0',
    { impact: 'Generic paging code does not work here.', rulings: ['limit-range'] },
  ),
  'api-keys-list-offset-pages': must('Pages at offset plus limit together show every key once', {
    at: 'Limits / Pagination, rule 3',
    impact: 'Keys are overlooked or counted twice.',
    rulings: ['offset-traversal'],
  }),
  'api-keys-list-total': must('The total of the key list is the number of keys that a full reading shows', {
    impact: 'Page counts are wrong.',
    rulings: ['total-scope', 'offset-traversal'],
  }),
  'api-keys-list-has-more': must('The has_more of the key list is true exactly while keys remain behind the page', {
    impact: 'Reading stops early or does not end.',
    rulings: ['has-more-judged'],
  }),
  'api-keys-list-offset-negative': observe('What does a negative offset answer?', {
    at: 'Limits / Pagination, row offset',
    rulings: ['limit-range'],
  }),
  'api-keys-list-offset-beyond': observe('What does an offset behind the last key answer?', {
    at: 'Limits / Pagination, row offset',
  }),
  'api-keys-list-owners': observe('Whose keys does the list show: those of the user or those of the account?', {
    at: 'Endpoints / API keys, row GET /api-keys',
    rulings: ['key-list-owners'],
  }),
});

const revocation = requirements('api-keys', 'States and transitions, row API key active', {
  'api-keys-delete-result': must('A revocation answers with deleted true', {
    at: 'Endpoints / API keys, row DELETE /api-keys/{key_id}',
    impact: 'The client does not know that the key is dead.',
  }),
  'api-keys-revoked-at-once': must('The first request with a key after its revocation was confirmed gets 401', {
    impact: 'A thief has time left after the alarm.',
    rulings: ['revocation-reach'],
  }),
  'api-keys-revoked-for-good': must('A revoked key is still refused at the end of the run', {
    impact: 'A dead key comes back to life.',
    rulings: ['revocation-reach', 'deletion-lasting'],
  }),
  'api-keys-revoked-validate': must('The validation reports a revoked key as invalid', {
    impact: 'Gateways that ask for validation let a thief in.',
    rulings: ['revocation-reach', 'validate-invalid'],
  }),
  'api-keys-revoked-unlisted': must('A revoked key disappears from the list and from its total', {
    impact: 'People believe that a dead key is alive.',
    rulings: ['revocation-reach', 'list-lag', 'total-scope'],
  }),
  'api-keys-revoked-siblings': must('A revocation leaves the other keys of the same user working', {
    impact: 'Rotating one key stops every integration.',
  }),
  'api-keys-revoke-foreign-account': must('A key cannot be revoked from another account', {
    impact: 'An outsider cuts off integrations by counting up identifiers.',
    rulings: ['foreign-keys', 'numbers-of-accounts'],
  }),
  'api-keys-revoke-foreign-user': must('A user without special rights cannot revoke the key of a colleague', {
    impact: 'Any colleague can cut off an integration.',
    rulings: ['foreign-keys', 'numbers-of-accounts'],
  }),
  'api-keys-revoke-foreign-answer': observe('What does an attempt to revoke a foreign key answer?', {
    rulings: ['foreign-keys'],
  }),
  'api-keys-revoke-unknown': observe('What does the revocation of an unknown or already revoked key answer?', {
    rulings: ['foreign-keys'],
  }),
  'api-keys-revoke-itself': observe('Can a key revoke itself?'),
});

export const apiKeys = { ...created, ...rights, ...creation, ...listing, ...revocation };

// What is left open about API keys, their validation and the health check.
import { row } from './row.ts';

const numbers = ['from-one', 'from-high', 'gappy', 'random', 'large'] as const;

export const keyRows = {
  keyIds: row('API key: id is an integer; how it is chosen is not said.', ...numbers),
  keyNumbering: row('API key: whether id is unique beyond its account is not said.', 'global', 'per-account'),
  keyAlphabet: row('API key: values begin with svc_sk_; the rest is free.', 'hex', 'base62', 'urlsafe'),
  keyLength: row('API key: the length of a value is not said.', '24', '32', '48'),
  keyEnvironment: row('API key: what follows svc_sk_ is not said.', 'none', 'live'),
  keyPrefixLength: row('API key: key_prefix is leading characters; how many is not said.', '10', '12', '16', '20'),
  keyExtra: row('API key: other members are not excluded.', 'none', 'owner', 'scopes', 'status'),
  keyLastUsed: row(
    'API key: last_used_at; how exactly it is kept is not said.',
    'tracked',
    'minute',
    'throttled',
    'never',
  ),
  keyUnused: row('API key: last_used_at of a key never used is not described.', 'null', 'absent'),
  keyListScope: row('API key list: whose keys are listed is not said.', 'own', 'account'),
  keyOrder: row('API key list: the order is not said.', 'newest', 'oldest', 'by-label'),
  keyLimitOut: row('API key list: a limit outside 1 to 200 is not described.', 'clamp', '400', '422'),
  keyOffsetBad: row('API key list: an offset that is no whole number from 0 is not described.', 'zero', '400', '422'),
  keyUnknownDelete: row(
    'API key: revoking a key that does not exist is not described (deleted is true on success).',
    '404',
    '403',
    'deleted-false',
  ),
  keyForeignDelete: row(
    'API key: the key belongs to the caller; revoking a key of others is not described.',
    '404',
    '403',
    'deleted-false',
  ),
  keyMaximum: row('Limits: the maximum number of keys is not shown.', 'tight', 'roomy', 'wide'),
  keyOverMaximum: row('Limits: what happens beyond the maximum is not said.', '403', '409', '422', '400'),
  keyByRestricted: row(
    'API key: creating needs an authenticated user; more rights are not excluded.',
    'allowed',
    '403',
  ),
  keyLabelBlank: row('API key: whether a label of white space is a label is not said.', 'accepted', 'refused'),
  keyLabelTrim: row('API key: whether outer white space of a label is kept is not said.', 'kept', 'trimmed'),
  keyLabelBad: row('API key: the status for a missing or bad label is not listed.', '400', '422'),
  keyDeleteExtra: row('Delete result: data with deleted; other members are not excluded.', 'none', 'id'),
  keyAnnounced: row('API key: whether the secret forbids storing by headers is not said.', 'plain', 'no-store'),
  validateInvalidRest: row(
    'Validation: when invalid only valid is false; the others are absent or null.',
    'absent',
    'null',
  ),
  validateWrongType: row('Validation: an api_key that is no string is not described.', 'false', '422', '400'),
  validateMissing: row('Validation: a body without api_key is not described.', 'false', '422', '400'),
  validateBlank: row('Validation: an empty api_key is a wrong key or a mistake.', 'false', '422', '400'),
  validateTrim: row('Validation: white space around a key is not described.', 'exact', 'trimmed'),
  validateExtra: row('Validation: other members when valid are not excluded.', 'none', 'key_id', 'label'),
  validateTouches: row('API key: whether a validation is a use is not said.', 'no', 'yes'),
  healthBody: row('Health: data is an object; contents are not shown.', 'status', 'empty', 'checks', 'boolean'),
} as const;

// The records of the interface, each described by the file of its name in `schemas/`.

export const recordNames = [
  'me',
  'account',
  'active-account',
  'team-member',
  'api-key',
  'api-key-created',
  'deletion',
  'health',
  'validation',
  'billing-summary',
  'credits',
  'company',
  'note',
  'contact',
  'phone',
] as const;

export type RecordName = (typeof recordNames)[number];

// The requirements on every success and on every error: whoever provides replies says that it feeds them.

export const successDuties = [
  'envelope-success-object',
  'envelope-content-type',
  'envelope-request-id-present',
  'envelope-request-id-unique',
  'envelope-timestamp-format',
  'envelope-timestamp-clock',
  'envelope-timestamp-moves',
  'envelope-data-present',
  'envelope-data-kind',
  'envelope-pagination-absent',
  'envelope-status-ok',
  'envelope-valid-served',
  'envelope-status-created',
] as const;

export const errorDuties = [
  'errors-body-object',
  'errors-body-request-id',
  'errors-body-code',
  'errors-body-message',
] as const;

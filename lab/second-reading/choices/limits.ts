// What is left open about rate limits.
import { row } from './row.ts';

export const limitRows = {
  rateAlgorithm: row(
    'Rate limits: counted per minute; how a minute is measured is not said.',
    'window-from-first',
    'clock-minutes',
    'sliding',
    'token-bucket',
  ),
  rateRefused: row('Rate limits: whether refused requests count is not said.', 'free', 'counted'),
  ratePosition: row(
    'Rate limits: which of 429 and another refusal wins is not said.',
    'after-auth',
    'after-permission',
    'before-action',
  ),
  rateHeaders: row('Rate limits: headers are not described.', 'none', 'x-ratelimit', 'ratelimit', 'only-429'),
  rateResetForm: row('Rate limits: how a header would give the reset is not described.', 'epoch', 'delta'),
  rateWording: row(
    'Errors: the 429 message says how many seconds to wait; its words are free.',
    'short',
    'sentence',
    'numbers-before',
    'terse',
  ),
  rateSeconds: row('Errors: seconds to wait; rounding is not said.', 'rounded-up', 'one-more'),
  retryAfter: row('Errors: a Retry-After header is not mentioned.', 'none', 'seconds', 'http-date'),
  validateCharge: row(
    'Rate limits: per account, and 10 validations per minute; whose account pays for a public call is not said.',
    'checked-account',
    'everyone',
    'caller',
    'origin-app',
  ),
  healthCharge: row('Rate limits: whether health is a counted read, and for whom, is not said.', 'never', 'everyone'),
  noAccountCharge: row('Rate limits: per account; who pays without an active account is not said.', 'user', 'nobody'),
  rateLimitsShape: row(
    'Me: limits appear under platform.rate_limits; their shape is not shown.',
    'flat',
    'per-minute',
    'objects',
    'list',
    'strings',
  ),
  rateLimitsValidateName: row(
    'Me: the name of the validation limit is not shown.',
    'validate',
    'validate_api_key',
    'key_validation',
  ),
  rateLimitsExtra: row('Me: rate_limits may hold more than the limits.', 'none', 'window'),
  replayCharge: row('Rate limits: whether a replayed write counts is not said.', 'counted', 'free'),
} as const;

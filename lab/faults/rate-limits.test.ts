// Every fault of rate limits is found, and nothing else is accused.
import rateLimits from './rate-limits.ts';
import { verifyFaults } from './verify.test-data.ts';

verifyFaults(rateLimits, { areas: ['rate-limits'] });

// Every fault of idempotency is found, and nothing else is accused.
import idempotency from './idempotency.ts';
import { verifyFaults } from './verify.test-data.ts';

verifyFaults(idempotency, { areas: ['idempotency'] });

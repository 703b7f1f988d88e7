// Every fault of billing is found, and nothing else is accused.
import faults from './billing.ts';
import { verifyFaults } from './verify.test-data.ts';

verifyFaults(faults, { areas: ['envelope', 'authentication', 'account', 'api-keys', 'public', 'billing'] });

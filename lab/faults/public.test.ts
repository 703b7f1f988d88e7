// Every fault of the public operations is found, and nothing else is accused.
import faults from './public.ts';
import { verifyFaults } from './verify.test-data.ts';

verifyFaults(faults, { areas: ['envelope', 'authentication', 'account', 'api-keys', 'public', 'billing'] });

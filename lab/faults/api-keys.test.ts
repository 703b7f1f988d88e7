// Every fault of API keys is found, and nothing else is accused.
import faults from './api-keys.ts';
import pages from './api-keys-pages.ts';
import revocation from './api-keys-revocation.ts';
import { verifyFaults } from './verify.test-data.ts';

verifyFaults([...faults, ...pages, ...revocation], {
  areas: ['envelope', 'authentication', 'account', 'api-keys', 'public', 'billing'],
});

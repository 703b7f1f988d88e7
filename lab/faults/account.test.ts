// Every fault of the account area is found, and nothing else is accused.
import faults from './account.ts';
import active from './account-active.ts';
import { verifyFaults } from './verify.test-data.ts';

verifyFaults([...faults, ...active], {
  areas: ['envelope', 'authentication', 'account', 'api-keys', 'public', 'billing'],
});

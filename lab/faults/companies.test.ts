// Every fault of companies is found, and nothing else is accused.
import companies from './companies.ts';
import edits from './companies-edits.ts';
import { verifyFaults } from './verify.test-data.ts';

verifyFaults([...companies, ...edits], { areas: ['companies'] });

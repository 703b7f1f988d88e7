// Every fault of contacts and their phones is found, and nothing else is accused.
import contacts from './contacts.ts';
import phones from './contacts-phones.ts';
import { verifyFaults } from './verify.test-data.ts';

verifyFaults([...contacts, ...phones], { areas: ['contacts'] });

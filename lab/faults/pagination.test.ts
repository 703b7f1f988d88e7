// Every fault of pagination is found, and nothing else is accused.
import pagination from './pagination.ts';
import choices from './pagination-choices.ts';
import traversal from './pagination-traversal.ts';
import { verifyFaults } from './verify.test-data.ts';

verifyFaults([...pagination, ...traversal, ...choices], { areas: ['pagination'] });

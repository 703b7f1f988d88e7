// Each fault of errors turns exactly what it names red.
import { describe } from 'vitest';
import faults from './errors.ts';
import { verifyFaults } from './verify.test-data.ts';

describe('errors', () => verifyFaults(faults));

// Each fault of the envelope turns exactly what it names red.
import { describe } from 'vitest';
import faults from './envelope.ts';
import { verifyFaults } from './verify.test-data.ts';

describe('envelope', () => verifyFaults(faults));

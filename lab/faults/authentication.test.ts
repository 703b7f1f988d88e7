// Each fault of authentication and isolation turns exactly what it names red.
import { describe } from 'vitest';
import faults from './authentication.ts';
import isolation from './authentication-isolation.ts';
import tokens from './authentication-tokens.ts';
import { verifyFaults } from './verify.test-data.ts';

describe('credentials', () => verifyFaults(faults));
describe('tokens', () => verifyFaults(tokens));
describe('isolation', () => verifyFaults(isolation));

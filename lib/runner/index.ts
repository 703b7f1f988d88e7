// What the package exports: for programs and tests that examine a server.
export type { Area, Level } from '../catalogue/requirement.ts';
export { type Effort, UsageError } from '../configuration/settings.ts';
export type { OnEvent, RunEvent } from '../events.ts';
export * from '../index.ts';
export type { CaseVerdict, Report, RequirementResult, RunResult, RunVerdict } from '../result.ts';
export { type VirtualClock, virtualClock } from '../runtime/virtual-clock.ts';
export { examine } from './examine.ts';
export type { ExamineOptions } from './options.ts';

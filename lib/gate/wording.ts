// The gate in sentences: what the waivers of a run came to, and whether they let it pass.
import type { Report, Waived } from '../result.ts';
import { counted } from '../runtime/text.ts';
import { isWaived, unsound } from './coverage.ts';

const words: Readonly<Record<Waived['state'], string>> = {
  applied: 'applied',
  idle: 'not needed in this run',
  expired: 'EXPIRED',
  stale: 'STALE',
};

export const stateOf = ({ state }: Waived): string => words[state];

/** Requirement and operation of a waiver. */
export const subjectOf = ({ requirement, operation }: Waived): string =>
  operation === undefined ? requirement : `${requirement} at ${operation}`;

/** Who accepted it, why, and until when. */
export const termsOf = ({ reason, owner, link, expires }: Waived): string =>
  `${reason} (${owner}, until ${expires}${link === undefined ? '' : `, ${link}`})`;

/** What the waivers mean for the gate, in one sentence; undefined where the run was given none. */
export function gateSentence(report: Report): string | undefined {
  if (report.waivers === undefined) return undefined;
  const failed = report.requirements.filter(({ level, verdict }) => level === 'must' && verdict === 'failed');
  const open = failed.filter((row) => !isWaived(report, row)).length;
  const unfit = unsound(report).length;
  const complaints = [
    open > 0 ? `${counted(open, 'failed MUST requirement')} not waived` : '',
    unfit > 0 ? `${counted(unfit, 'waiver')} expired or stale` : '',
  ].filter((complaint) => complaint !== '');
  if (report.verdict === 'aborted') return 'The gate stays shut: the run was aborted.';
  if (complaints.length > 0) return `The gate stays shut: ${complaints.join(', ')}.`;
  if (failed.length === 0) return 'No waiver was needed.';
  return `${counted(failed.length, 'failed MUST requirement')} waived: waivers may let the gate pass, but the target does not conform.`;
}

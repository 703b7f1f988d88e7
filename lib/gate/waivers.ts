// The file of waivers: read strictly, because a mistyped one would waive nothing, or too much; written sorted.

import { operationIds } from '../catalogue/operations.ts';
import type { Level } from '../catalogue/requirement.ts';
import { at, isObject } from '../client/reply.ts';
import { didYouMean } from '../configuration/nearest.ts';
import { UsageError } from '../configuration/settings.ts';
import type { Waived } from '../result.ts';
import { documentText } from '../schema/document.ts';
import { instant } from '../schema/instant.ts';
import { violations } from '../schema/schema.ts';

export type Waiver = Omit<Waived, 'state' | 'note'>;
export type Known = Readonly<Record<string, { readonly level: Level }>>;

export const waiversFile = 'covenant.waivers.json';
const waiversFormat = 'covenant-waivers/1';
const members = ['requirement', 'operation', 'reason', 'owner', 'link', 'expires'] as const;
const dayMs = 86_400_000;

/** The first moment at which a waiver no longer holds, in milliseconds; undefined where that is not a date. */
export const endOf = (expires: string): number | undefined => {
  const midnight = /^\d{4}-\d{2}-\d{2}$/.test(expires) ? instant(`${expires}T00:00Z`) : undefined;
  return midnight && midnight.ms + dayMs;
};

/** The same requirement and operation: of such there is only one. */
export const sameSubject = (one: Waiver, other: Waiver): boolean =>
  one.requirement === other.requirement && one.operation === other.operation;

const subjectOf = ({ requirement, operation }: Waiver): string =>
  operation === undefined ? requirement : `${requirement} at ${operation}`;

/** @throws UsageError where it is about nothing that a run could fail by. `where` names it for people. */
export function checkWaiver(waiver: Waiver, known: Known, where: string): void {
  const { requirement, operation, expires } = waiver;
  const wrong = (what: string): never => {
    throw new UsageError(`${where}: ${what}`);
  };
  const level = Object.hasOwn(known, requirement) ? known[requirement]?.level : undefined;
  if (level === undefined)
    wrong(
      `no requirement is called ${JSON.stringify(requirement)}${didYouMean(requirement, Object.keys(known))} See covenant requirements.`,
    );
  if (level !== 'must')
    wrong(`${requirement} is not a MUST requirement and fails no run, so there is nothing to waive; take it out.`);
  if (operation !== undefined && !(operationIds as readonly string[]).includes(operation))
    wrong(`no operation is called ${JSON.stringify(operation)}${didYouMean(operation, operationIds)}`);
  if (endOf(expires) === undefined) wrong(`${JSON.stringify(expires)} is not a date of the form 2026-06-30 (expires).`);
  for (const name of ['reason', 'owner'] as const)
    if (waiver[name].trim() === '') wrong(`${name} is empty; somebody must be able to understand the waiver later.`);
}

function checkMembers(value: unknown, where: string): void {
  const entries = at(value, 'waivers');
  for (const [index, entry] of (Array.isArray(entries) ? entries : []).entries()) {
    const unknown = isObject(entry)
      ? Object.keys(entry).find((name) => !(members as readonly string[]).includes(name))
      : undefined;
    if (unknown === undefined) continue;
    throw new UsageError(
      `${where}, waiver ${index + 1}: ${JSON.stringify(unknown)} is not a part of a waiver${didYouMean(unknown, members)} There are ${members.join(', ')}.`,
    );
  }
}

function checkDuplicates(waivers: readonly Waiver[], where: string): void {
  for (const [index, waiver] of waivers.entries()) {
    if (!waivers.slice(0, index).some((other) => sameSubject(waiver, other))) continue;
    throw new UsageError(`${where} waives ${subjectOf(waiver)} twice; keep one of the two.`);
  }
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new UsageError(`${where} is not JSON; covenant waive writes such files.`);
  }
}

/**
 * The waivers in a text; `where` names the file.
 * @throws UsageError on the first thing that is wrong with it, an unknown requirement or operation included.
 */
export function readWaivers(text: string, where: string, known: Known): readonly Waiver[] {
  const value = parsed(text, where);
  const format = at(value, 'format');
  if (format !== waiversFormat) {
    throw new UsageError(
      `${where} has the format ${JSON.stringify(format)} instead of ${JSON.stringify(waiversFormat)}; covenant waive writes such files.`,
    );
  }
  checkMembers(value, where);
  const [first] = violations('waivers', value);
  if (first !== undefined) {
    throw new UsageError(
      `${where}: at ${first.pointer} there should be ${first.expected}, but there is ${first.actual}.`,
    );
  }
  const { waivers } = value as { waivers: readonly Waiver[] };
  for (const [index, waiver] of waivers.entries()) checkWaiver(waiver, known, `${where}, waiver ${index + 1}`);
  checkDuplicates(waivers, where);
  return waivers;
}

const orderOf = ({ requirement, operation = '' }: Waiver): string => `${requirement} ${operation}`;

/** The file's text: sorted, so that a change shows as one. */
export function writtenWaivers(waivers: readonly Waiver[]): string {
  const sorted = [...waivers].sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  const ordered = sorted.map((waiver) =>
    Object.fromEntries(members.flatMap((name) => (waiver[name] === undefined ? [] : [[name, waiver[name]]]))),
  );
  return documentText('waivers', { format: waiversFormat, waivers: ordered });
}

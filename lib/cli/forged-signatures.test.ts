// What somebody makes of an envelope: which are taken, which are refused, and in what words.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { own, type RecordedRun, recordedRun } from '../../lab/recorded-run.ts';
import { suites } from '../../suites/index.ts';
import { envelopeOf } from '../evidence/dsse.ts';
import { statementOf } from '../evidence/statement.ts';
import { sha256 } from '../runtime/digest.ts';
import { trial } from './trial.test-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'covenant-'));
const settings = { effort: 'quick', areas: ['billing'], exhaustion: false } as const;
const { privateKey } = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

let run: RecordedRun;
beforeAll(async () => {
  run = await recordedRun({ settings });
  writeFileSync(join(folder, 'evidence.jsonl.gz'), run.file);
  writeFileSync(join(folder, 'rsa.pem'), pemOf(rsa.publicKey));
});
afterAll(() => rmSync(folder, { recursive: true }));

function statement() {
  const files = { 'evidence.jsonl.gz': sha256(run.file), 'report.json': sha256(run.reportFile) };
  return statementOf({ report: run.built.report, code: own.code, files }, privateKey);
}
const signed = (change: object = {}, key = privateKey) => envelopeOf({ ...statement(), ...change }, key);
const good = () => ({ keyid: '', sig: '', ...signed().signatures[0] });
const bad = () => ({ keyid: '', sig: '', ...signed({}, stranger.privateKey).signatures[0] });
const withSignatures = (...signatures: readonly unknown[]) => ({ ...signed(), signatures });
/** The type is signed with what it is the type of. */
function typed(payloadType: string) {
  const payload = Buffer.from(JSON.stringify(statement()));
  const whole = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload]);
  const sig = sign(null, whole, privateKey).toString('base64');
  return { payload: payload.toString('base64'), payloadType, signatures: [{ keyid: '', sig }] };
}
const url = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
function withKey(key: KeyObject) {
  const { predicate } = statement();
  return signed({ predicate: { ...predicate, covenant: { ...predicate.covenant, publicKey: pemOf(key) } } });
}
const other = { name: 'evidence.jsonl.gz', digest: { sha256: 'a'.repeat(64) } };
const withSubjects = (change: (one: typeof other) => object) => signed({ subject: statement().subject.map(change) });

const taken = 'It is signed by sha256:';
const notOurs = 'the signature is not one by sha256:';
const noEnvelope = 'is no DSSE envelope';
const noResult = 'no test result in the form of in-toto';
const otherFile = 'what was signed is not this evidence.jsonl.gz';

const attacks: Readonly<Record<string, readonly [code: number, words: string, envelope: () => unknown]>> = {
  'a bad signature before the good one': [0, taken, () => withSignatures(bad(), good())],
  'only one by somebody else': [3, notOurs, () => withSignatures(bad())],
  'one by somebody else under our name': [3, notOurs, () => withSignatures({ ...bad(), keyid: good().keyid })],
  none: [2, noEnvelope, () => withSignatures()],
  'null beside the good one': [2, noEnvelope, () => withSignatures(good(), null)],
  'an empty one before the good one': [2, noEnvelope, () => withSignatures({}, good())],
  'one cut short': [3, notOurs, () => withSignatures({ ...good(), sig: good().sig.slice(0, 40) })],
  'a space before it': [2, noEnvelope, () => withSignatures({ ...good(), sig: ` ${good().sig}` })],
  'the other alphabet of base64': [
    0,
    taken,
    () => ({ ...signed(), payload: url(signed().payload), signatures: [{ sig: url(good().sig) }] }),
  ],
  'another type, written over it': [3, notOurs, () => ({ ...signed(), payloadType: 'text/plain' })],
  'another type, signed': [3, noResult, () => typed('text/plain')],
  'another form of statement': [3, noResult, () => signed({ _type: 'https://in-toto.io/Statement/v0.1' })],
  'another kind of result': [3, noResult, () => signed({ predicateType: 'https://in-toto.io/attestation/vulns/v0.1' })],
  'no statement at all': [3, 'names no public key', () => ({ ...signed(), payload: 'W10=' })],
  'no subject': [3, otherFile, () => signed({ subject: [] })],
  'null for subjects': [3, otherFile, () => signed({ subject: null })],
  'another file under the name of this one': [3, otherFile, () => signed({ subject: [other] })],
  'a digest in capitals': [
    3,
    otherFile,
    () => withSubjects(({ name, digest }) => ({ name, digest: { sha256: digest.sha256.toUpperCase() } })),
  ],
  'this file under another name': [0, taken, () => withSubjects((one) => ({ ...one, name: 'other' }))],
  'one subject more': [0, taken, () => signed({ subject: [...statement().subject, other] })],
  'a key of another kind in it': [3, 'names no public key', () => withKey(rsa.publicKey)],
  'the key of somebody else in it': [3, notOurs, () => withKey(stranger.publicKey)],
};

const verified = (...words: readonly string[]) =>
  trial(['verify', 'evidence.jsonl.gz', ...words], { folder, judge: () => ({ suites, own }) });

test.each(Object.entries(attacks))('%s', async (_, [code, words, envelope]) => {
  writeFileSync(join(folder, 'evidence.dsse.json'), JSON.stringify(envelope()));
  const done = await verified();
  expect([done.code, done.out + done.stderr]).toEqual([code, expect.stringContaining(words)]);
});

test('a key of another kind to verify with', async () => {
  writeFileSync(join(folder, 'evidence.dsse.json'), JSON.stringify(signed()));
  const { code, stderr } = await verified('--key', 'rsa.pem');
  expect([code, stderr]).toEqual([2, expect.stringContaining('is of the kind rsa, not Ed25519')]);
});

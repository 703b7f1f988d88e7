// The commands about evidence, from their words to their exit codes.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { own, type RecordedRun, recordedRun } from '../../lab/recorded-run.ts';
import { suites } from '../../suites/index.ts';
import { envelopeOf } from '../evidence/signature.ts';
import { statementOf } from '../evidence/statement.ts';
import { sha256 } from '../runtime/text.ts';
import { violations } from '../schema/schema.ts';
import { trial } from './trial.test-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'covenant-'));
const settings = { effort: 'quick', areas: ['billing'], exhaustion: false } as const;
const covenant = (words: string, environment = {}) =>
  trial(words.split(' '), { folder, environment, judge: () => ({ suites, own }) });

let run: RecordedRun;
beforeAll(async () => {
  run = await recordedRun({ settings });
  const { file, reportFile } = run;
  writeFileSync(join(folder, 'evidence.jsonl.gz'), file);
  writeFileSync(join(folder, 'report.json'), reportFile);
  writeFileSync(join(folder, 'other.json'), reportFile.replace('"verdict": "passed"', '"verdict": "failed"'));
  writeFileSync(join(folder, 'cut.jsonl.gz'), file.subarray(0, -500));
  expect((await covenant('keygen --out key.pem')).code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true }));

const pem = () => readFileSync(join(folder, 'key.pem'), 'utf8');

describe('keygen', () => {
  test('makes a key that nobody else may read, and overwrites none', async () => {
    expect(statSync(join(folder, 'key.pem')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'key.pub.pem'), 'utf8')).toContain('PUBLIC KEY');
    const { code, stderr } = await covenant('keygen --out key.pem');
    expect([code, stderr]).toEqual([2, expect.stringContaining('is there already and is not overwritten')]);
  });
});

describe('verify', () => {
  test.each([
    ['verify evidence.jsonl.gz', 0, 'follows from it: the run was conformant'],
    ['verify evidence.jsonl.gz --report report.json', 0, 'the verdict of each of'],
    ['verify evidence.jsonl.gz --report other.json', 3, 'the report is not the one that was sealed'],
    ['verify cut.jsonl.gz', 3, 'the file was cut'],
    ['verify evidence.jsonl.gz --key key.pub.pem', 3, 'it is not signed'],
    ['verify evidence.jsonl.gz --json', 0, '"outcome": "follows"'],
  ])('%s', async (words, code, text) => {
    const done = await covenant(words);
    expect([done.code, done.out]).toEqual([code, expect.stringContaining(text)]);
  });

  test('verify --controls says what it came to before it shows that it could have been otherwise', async () => {
    const { out, stderr } = await covenant('verify evidence.jsonl.gz --controls');
    expect(out).toMatch(/the run was conformant\.[\s\S]*Live controls: of 1 MUST/);
    expect(stderr).toMatch(/^ +live controls: 0 of \d+ MUSTs? seen to fail, 0 ms\n$/);
  });

  test('verify --json keeps to its schema', async () => {
    const { out } = await covenant('verify evidence.jsonl.gz --json --controls');
    expect(violations('verification', JSON.parse(out))).toEqual([]);
  });

  test.each([
    ['verify report.json', 'is not an evidence file of Covenant'],
    ['verify nothing.gz', 'is not there; check the path'],
    ['verify evidence.jsonl.gz --report evidence.jsonl.gz', 'is not JSON'],
    ['verify evidence.jsonl.gz --key sha256:0123456789ab', 'has 12 digits, not 64'],
    ['verify evidence.jsonl.gz --key report.json', 'no key in PEM'],
    ['verify evidence.jsonl.gz --key FINGERPRINT', 'FINGERPRINT (--key) is neither a fingerprint'],
    ['verify evidence.jsonl.gz --signature report.json', 'is no DSSE envelope'],
  ])('%s is wrong usage', async (words, text) => {
    const done = await covenant(words);
    expect([done.code, done.stderr]).toEqual([2, expect.stringContaining(text)]);
  });
});

describe('sign', () => {
  test('signs what follows, with a file or a variable, and verify says who it was', async () => {
    for (const [words, environment] of [
      ['sign evidence.jsonl.gz --key key.pem', {}],
      ['sign evidence.jsonl.gz', { COVENANT_SIGNING_KEY: pem() }],
    ] as const) {
      const done = await covenant(words, environment);
      expect([done.code, done.out]).toEqual([0, expect.stringContaining('Signed by sha256:')]);
    }
    const seen = await covenant('verify evidence.jsonl.gz --report report.json --key key.pub.pem');
    expect([seen.code, seen.out]).toEqual([0, expect.stringContaining('It is signed by sha256:')]);
    const stranger = await covenant(`verify evidence.jsonl.gz --key ${'a'.repeat(64)}`);
    expect([stranger.code, stranger.out]).toEqual([3, expect.stringContaining(`not by sha256:${'a'.repeat(64)}`)]);
    rmSync(join(folder, 'evidence.dsse.json'));
  });

  test('signs nothing that does not follow', async () => {
    const done = await covenant('sign evidence.jsonl.gz --key key.pem --report other.json');
    expect([done.code, done.stderr]).toEqual([3, expect.stringContaining('was not signed')]);
  });

  test('refuses a key that others may read, a missing key, and a key without evidence', async () => {
    writeFileSync(join(folder, 'open.pem'), pem());
    chmodSync(join(folder, 'open.pem'), 0o644);
    const open = await covenant('sign evidence.jsonl.gz --key open.pem');
    expect([open.code, open.stderr]).toEqual([2, expect.stringContaining('may be read by others')]);
    const none = await covenant('sign evidence.jsonl.gz');
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('No key to sign with')]);
    const alone = await covenant('run --sign key.pem');
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('add --evidence')]);
    const wrong = await covenant('run --evidence --sign', { COVENANT_SIGNING_KEY: 'nonsense' });
    expect([wrong.code, wrong.stderr, wrong.examined]).toEqual([2, expect.stringContaining('no key in PEM'), []]);
  });
});

const { privateKey } = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

beforeAll(() => writeFileSync(join(folder, 'rsa.pem'), pemOf(rsa.publicKey)));

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
  'a result that does not follow': [
    3,
    'what was signed as the result does not follow',
    () => signed({ predicate: { ...statement().predicate, result: 'FAILED' } }),
  ],
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

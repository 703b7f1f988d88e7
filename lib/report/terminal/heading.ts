// What is examined against what, said before anything is sent.

import { apiPath, documentedMinuteMs } from '../../catalogue/operations.ts';
import { defaultProfile, profiles } from '../../catalogue/profiles.ts';
import { describeNetwork, type NetworkSettings } from '../../configuration/network.ts';
import { credentialNames, existsIn, type Settings, type Target } from '../../configuration/settings.ts';
import { labelled, listed, type Style } from './layout.ts';

export interface Heading {
  readonly target: Target;
  readonly network: NetworkSettings;
  readonly settings: Settings;
  /** The target is the reference that this run started itself. */
  readonly bundled: boolean;
  readonly version: string;
  readonly digest: string;
}

/** Without it the primary account is exhausted, so nothing goes untested. */
const replaceable = 'COVENANT_RATE_API_KEY';
const namesShown = 3;
const digestShown = 12;

function selection({ areas, requirements, readOnly, exhaustion, shard }: Settings): string {
  const parts = [
    areas && `areas ${areas.join(', ')}`,
    requirements && `requirements ${listed(requirements, namesShown)}`,
    readOnly && 'reads only',
    !exhaustion && 'no limit is exceeded',
    shard && `shard ${shard.index} of ${shard.of}`,
  ].filter(Boolean);
  return parts.join('; ') || 'everything';
}

export function heading({ target, network, settings, bundled, version, digest }: Heading, style: Style): string {
  const line = (label: string, text: string): string[] => labelled(label, text, style);
  const { profile = defaultProfile } = settings;
  const present = credentialNames.filter((name) => target.credentials[name] !== undefined);
  const absent = credentialNames.filter(
    (name) => name !== replaceable && !present.includes(name) && existsIn(name, profile),
  );
  const hurry = ` of a clock ${target.clockRate} times as fast as the machine’s that stands still during requests`;
  const clock = target.clockRate === undefined ? '' : hurry;
  const minute = `${target.minuteMs} ms instead of ${documentedMinuteMs}${clock}, so that waits are short; no certificate can rest on such a run`;
  const named = Object.keys(target.headers ?? {});
  const headers = named.length === 0 ? '' : `extra headers ${named.join(', ')}`;
  return [
    style.colors.bold(`Covenant ${version}`),
    ...line('target', `${target.baseUrl}${apiPath}${bundled ? ' (the bundled reference, started for this run)' : ''}`),
    ...line('network', [describeNetwork(network), headers].filter(Boolean).join(', ')),
    ...line('interface', `2026-03, catalogue ${digest.slice(0, digestShown)}`),
    ...line('credentials', present.join(', ') || 'none'),
    ...line('not set', absent.length === 0 ? '' : `${absent.join(', ')}; what needs them is not tested`),
    ...line('minute', target.minuteMs === documentedMinuteMs ? '' : minute),
    ...line('profile', profile === defaultProfile ? '' : `${profile}, ${profiles[profile].meaning}`),
    ...line('selected', selection(settings)),
    ...line('effort', `${settings.effort}, ${settings.concurrency} at a time`),
    ...line('seed', String(settings.seed)),
    '',
    '',
  ].join('\n');
}

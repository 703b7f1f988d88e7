// Every exchange of a run, in the order of the replies, and whoever wants to look at each.
import type { Credential } from './credential.ts';
import type { OperationId } from './operations.ts';
import type { Reply, Sent } from './reply.ts';
import type { WireReply } from './transport/transport.ts';

interface Exchange {
  readonly sent: Sent;
  readonly operation: OperationId | undefined;
  readonly wire: WireReply;
  readonly credential: Credential;
  readonly owner: string;
  readonly sentAt: number;
  readonly receivedAt: number;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export class Recorder {
  readonly replies: Reply[] = [];
  private readonly watch: (reply: Reply) => void;

  constructor(watch: (reply: Reply) => void = () => {}) {
    this.watch = watch;
  }

  record({ sent, operation, wire, credential, owner, sentAt, receivedAt }: Exchange): Reply {
    const reply: Reply = {
      id: this.replies.length + 1,
      ...(operation === undefined ? {} : { operation }),
      request: sent,
      credential: credential.name,
      owner,
      sentAt,
      receivedAt,
      status: wire.status,
      headers: wire.headers,
      text: wire.body,
      json: parse(wire.body),
    };
    this.replies.push(reply);
    this.watch(reply);
    return reply;
  }
}

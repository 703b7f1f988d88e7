// A request that never gets an answer, although its valid twin does, counts against the target and not against the network.
import { expectThat, type Reply, Unanswered } from '../../lib/index.ts';

/** The reply, or a Mismatch where every repetition stayed without one and the twin sent afterwards is answered. */
export async function answered(request: Promise<Reply>, twin: () => Promise<Reply>): Promise<Reply> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    const reply = await twin();
    expectThat(false, 'the request should be answered', {
      expected: 'a reply, as its valid twin gets',
      actual: error.message,
      replies: reply,
    });
  }
}

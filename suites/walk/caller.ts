// Who sends requests, and what is sent or done with each of them.
import type { Api, Call, OperationId, Reply } from '../../lib/index.ts';

export interface Caller {
  readonly api: Api;
  /** What stands beside each of its calls. */
  readonly under?: Call;
}

/** Sends as the api does, and does something after each reply, also after those to other credentials. */
export const afterEach = (
  api: Api,
  act: (reply: Reply, operation: OperationId, call: Call, sender: Api) => unknown,
): Api => ({
  credential: api.credential,
  as: (credential) => afterEach(api.as(credential), act),
  route: (method, path, call) => api.route(method, path, call),
  send: async (operation, call = {}) => {
    const reply = await api.send(operation, call);
    await act(reply, operation, call, api);
    return reply;
  },
});

/** Opens a store and its language model for many questions, from plain options. */
import { InputError } from '../core/errors.ts';
import type { OpenStoreOptions } from './document-store.ts';
import { SessionModel } from './session-model.ts';
import { type SessionOptions, StoreSession } from './store-session.ts';

export interface OpenedSession {
  readonly session: StoreSession;
  readonly model: SessionModel;
}

/** Throws `InputError`, or `PortError` if the folder is no store or cannot be read. */
export async function openSession(
  folder: string,
  options: OpenStoreOptions & Pick<SessionOptions, 'mayOpen' | 'onFitting'>,
): Promise<OpenedSession> {
  if (typeof folder !== 'string' || folder === '')
    throw new InputError('missing-store', 'The folder of the store is missing', {
      expected: 'a path, such as notes.store',
    });
  const { create = true, units = ['passage'], env = process.env } = options;
  const { modelUrl: baseUrl, modelTimeoutMs: answerMs, model: given, price } = options;
  const language = { baseUrl, answerMs, price, model: given };
  const sources = { ...options, env, language };
  const session = await StoreSession.open({ ...sources, store: folder, create, units });
  const model = new SessionModel({ ...options, env, baseUrl, answerMs });
  return { session, model };
}

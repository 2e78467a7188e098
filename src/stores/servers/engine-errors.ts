/** Defines the errors of servers behind the engine's port, grouped by what a user can do. */
import { PortError } from '../../core/errors.ts';
import { quoted } from '../../platform/secret.ts';
import { type EngineAddress, withoutCredentials } from './engine-address.ts';

/** `received`: words of the server or its library; credentials are removed. */
export type EngineFault = (address: EngineAddress, received: string, cause?: unknown) => PortError;

const PORT = 'engine';

function details(address: EngineAddress, received: string): { readonly received?: string } {
  const words = quoted(withoutCredentials(address, received));
  return words === '' ? {} : { received: words };
}

export const unreachable: EngineFault = (address, received) =>
  new PortError(PORT, 'unreachable', `The server ${address.label} cannot be reached`, {
    ...details(address, received),
    retryable: true,
    hint: 'Check that it runs, and its host and port.',
  });

/** Omits the words of the server, which may quote credentials. */
export const unauthorized: EngineFault = address =>
  new PortError(PORT, 'unauthorized', `The server ${address.label} refused the credentials`, {
    hint: 'Give them in the environment: MULTIHOP_ENGINE_USER and MULTIHOP_ENGINE_PASSWORD.',
  });

/** A time limit of this process or of the server. `expected`: the limit in words. */
export const engineTimeout = (address: EngineAddress, expected: string): PortError =>
  new PortError(PORT, 'timeout', `The server ${address.label} did not answer in time`, {
    expected,
    retryable: true,
  });

export const readOnly: EngineFault = (address, received) =>
  new PortError(PORT, 'engine-read-only', `The server ${address.label} takes no writes`, {
    ...details(address, received),
    retryable: true,
    hint: 'Nothing of this write is stored. Lift the block, or write to the primary.',
  });

export const full: EngineFault = (address, received) =>
  new PortError(PORT, 'engine-full', `The disk of the server ${address.label} is full`, {
    ...details(address, received),
    retryable: true,
    hint: 'Nothing of this write is stored. Free some space and write again.',
  });

export const busy: EngineFault = (address, received) =>
  new PortError(PORT, 'engine-busy', `The server ${address.label} has no room for more work`, {
    ...details(address, received),
    retryable: true,
  });

/** A state that a question reads is gone; a new snapshot reads the newest one. */
export const snapshotLost: EngineFault = (address, received) =>
  new PortError(PORT, 'snapshot-lost', `The server ${address.label} lost the state being read`, {
    ...details(address, received),
    retryable: true,
    hint: 'Ask again: a new question reads the newest state.',
  });

export const noEngine: EngineFault = (address, received) =>
  new PortError(PORT, 'no-engine', `The server ${address.label} holds no documents of multihop`, {
    ...details(address, received),
    hint: 'Ingest documents first, or check the name at the end of the address.',
  });

export const otherVersion = (
  address: EngineAddress,
  expected: string,
  received: string,
): PortError =>
  new PortError(
    PORT,
    'other-engine-version',
    `The index on ${address.label} is of another version`,
    {
      expected,
      received,
      hint: 'Ingest the documents under another name, or use the version of multihop that wrote it.',
    },
  );

export const otherEmbedder = (
  address: EngineAddress,
  expected: string,
  received: string,
): PortError =>
  new PortError(PORT, 'other-embedder', `The index on ${address.label} has other vectors`, {
    expected,
    received,
    hint: 'Give the same embedders, or ingest the documents under another name.',
  });

/** Any other failure of the server. */
export const refused: EngineFault = (address, received) =>
  new PortError(PORT, 'refused', `The server ${address.label} refused the request`, {
    ...details(address, received),
  });

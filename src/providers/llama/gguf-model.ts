/** Opens GGUF files: the library, the weights, and an id of both and the settings. */
import { PortError } from '../../core/errors.ts';
import type { LoadLibrary } from '../../platform/optional-package.ts';
import { quoted } from '../../platform/secret.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { ModelPort } from '../fault.ts';
import type { GgufSettings } from './gguf-name.ts';
import { ggufFingerprint, ggufName, ggufPath } from './gguf-path.ts';
import { type Llama, type LlamaLibrary, type LlamaModel, loadLlama } from './llama-library.ts';

export interface GgufOptions extends GgufSettings {
  /** Path of the GGUF file; the first part of a model in several. */
  readonly file: string;
  /** Folder in which a relative path is looked for too. */
  readonly models?: string | undefined;
  /** False computes on the CPU even where the library can use a graphics processor. */
  readonly gpu?: boolean | undefined;
  readonly load?: LoadLibrary | undefined;
  /** Sampling under the names of llama.cpp, such as `{ top_k: 20 }`; language models alone. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

export interface OpenGguf {
  readonly library: LlamaLibrary;
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly path: string;
  /** More threads than cores wait for each other. */
  readonly threads: number;
  readonly name: string;
  /** Returns an id of the file and of what else changes its results. */
  idOf(...marks: readonly unknown[]): string;
  close(): Promise<void>;
}

/**
 * Loads the weights. Throws `InputError` for the file, before a large package loads, and
 * `PortError` for library and weights.
 */
export async function openGguf(port: ModelPort, options: GgufOptions): Promise<OpenGguf> {
  const path = ggufPath(options.file, options.models);
  const fingerprint = await ggufFingerprint(path);
  const library = await loadLlama(port, options.load);
  const llama = await started(port, library, options.gpu ?? true);
  try {
    const model = await llama.loadModel({ modelPath: path });
    const name = ggufName(path);
    return {
      library,
      llama,
      model,
      path,
      threads: options.threads ?? llama.cpuMathCores,
      name,
      idOf(...marks) {
        const text = marks.length === 0 ? fingerprint : JSON.stringify([fingerprint, ...marks]);
        return `${name}@gguf-${sha256(text).slice(0, 12)}`;
      },
      async close() {
        await model.dispose();
        await llama.dispose();
      },
    };
  } catch (error) {
    await llama.dispose();
    throw notLoaded(port, path, error);
  }
}

/** Never builds or downloads: only what npm installed is used. */
async function started(port: ModelPort, library: LlamaLibrary, gpu: boolean): Promise<Llama> {
  try {
    return await library.getLlama({
      gpu: gpu ? 'auto' : false,
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: 'error',
      logger: () => {},
    });
  } catch (error) {
    throw new PortError(port, 'broken-package', 'node-llama-cpp has no binary for this machine', {
      cause: error,
      received: said(error),
      hint: `Install it: npm install @node-llama-cpp/${process.platform.replace('win32', 'win')}-${process.arch}`,
    });
  }
}

function notLoaded(port: ModelPort, path: string, error: unknown): PortError {
  return new PortError(port, 'not-loaded', `The model "${path}" cannot be loaded`, {
    cause: error,
    received: said(error),
    hint: 'It is damaged, of a kind that this release of node-llama-cpp does not know, or larger than the memory.',
  });
}

export const said = (error: unknown): string =>
  quoted(error instanceof Error ? error.message : String(error));

/** The build: one entry a public room with shared chunks, and the command; what the formats need of libraries is bundled where it is loaded. */
import { defineConfig, type UserConfig } from 'tsdown';
import { writeLicences } from './tools/licences.ts';

const ROOMS = ['corpus', 'ranking', 'text', 'trace', 'indexes', 'retrieval', 'context', 'planning', 'strategies', 'reading', 'evaluation', 'testing'];

const config: UserConfig = defineConfig({
  entry: {
    index: 'src/index.ts',
    ...Object.fromEntries(ROOMS.map(room => [`${room}/index`, `src/${room}/index.ts`])),
    'edges/formats/index': 'src/edges/formats/index.ts',
    'edges/storage/index': 'src/edges/storage/index.ts',
    'edges/cli/main': 'src/edges/cli/main.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node22.13',
  fixedExtension: false,
  clean: true,
  logLevel: 'warn',
  dts: { generator: 'oxc' },
  // The package has no dependency at run time: the three libraries that read formats are bundled, each in the chunk of its format.
  deps: { onlyBundle: ['csv-parse', 'marked', 'htmlparser2', 'domelementtype', 'domhandler', 'domutils', 'dom-serializer', 'entities'], onlyImport: [] },
  hooks: { 'build:done': ({ chunks }) => writeLicences(chunks, 'dist/THIRD-PARTY-LICENSES.txt') },
});
export default config;

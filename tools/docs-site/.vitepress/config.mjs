// Settings of the site. Its pages are the Markdown files where they stand, so that links between them
// hold; a README is the page of its folder.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDERS = [
  ['Commands', 'docs/commands'],
  ['Strategies', 'docs/strategies'],
  ['Papers', 'docs/papers'],
  ['API reference', 'docs-api/pages'],
];

const index = path => path.replace(/(^|\/)README\.md$/, '$1index.md');

/** A line of the sidebar: the first heading of the page, and its address. */
function item(path) {
  const [, text = path] = /^#+ (.+)$/m.exec(readFileSync(join(ROOT, path), 'utf8')) ?? [];
  return { text: text.replaceAll('`', ''), link: `/${index(path).replace(/(?:index)?\.md$/, '')}` };
}

/** The pages of a folder; of the API reference, those of its entries. */
function group([text, folder]) {
  const names = existsSync(join(ROOT, folder)) ? readdirSync(join(ROOT, folder)).sort() : [];
  const paths = names.flatMap(name => {
    const path = name.endsWith('.md') ? name : `${name}/README.md`;
    return existsSync(join(ROOT, folder, path)) ? [`${folder}/${path}`] : [];
  });
  return { text, collapsed: true, items: paths.map(item) };
}

const guide = readdirSync(join(ROOT, 'docs'))
  .filter(name => name.endsWith('.md'))
  .map(name => item(`docs/${name}`));

/** Leaves Vue to this package: pages stand outside of it and would not find it. */
const vueOfThisPackage = {
  name: 'vue-of-this-package',
  enforce: 'pre',
  resolveId: (id, _importer, { ssr }) =>
    ssr && /^vue(?:\/server-renderer)?$/.test(id) ? { id, external: true } : undefined,
};

export default {
  title: 'multihop',
  description: 'Answers questions whose evidence is spread over several documents',
  srcDir: ROOT,
  srcExclude: [
    '**/node_modules/**',
    'bench/**',
    'demo/**',
    'lab/**',
    'packages/**',
    'CHANGELOG.md',
  ],
  outDir: join(ROOT, 'docs-site'),
  cacheDir: join(ROOT, 'tools/docs-site/node_modules/.cache'),
  rewrites: index,
  // Pages link to source files too, which are not part of the site.
  ignoreDeadLinks: true,
  vite: { plugins: [vueOfThisPackage] },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Documentation', link: '/docs/' },
      { text: 'Commands', link: '/docs/command-line' },
      { text: 'API reference', link: '/docs-api/pages/' },
    ],
    sidebar: [{ text: 'Documentation', items: guide }, ...FOLDERS.map(group)],
  },
};

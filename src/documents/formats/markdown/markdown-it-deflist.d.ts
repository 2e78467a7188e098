/** Declares the plugin, which brings no types. */
declare module 'markdown-it-deflist' {
  import type { MarkdownIt } from 'markdown-it';

  export default function definitions(parser: MarkdownIt): void;
}

/** Serves the hop inspector under `/`: it holds nothing of the store, so it needs no token. */
import { inspectorServed } from '../inspector/page.ts';

/** Returns the page for its path; undefined for any other. */
export function inspectorPage(path: string): Response | undefined {
  if (path !== '/') return undefined;
  const { html, policy } = inspectorServed();
  return new Response(html, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Cross-Origin-Opener-Policy': 'same-origin',
    },
  });
}

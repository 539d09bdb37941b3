import { basename, join, resolve } from 'node:path'
import { build } from 'vite'

/**
 * One file of a program and all of ours that it imports, since starting TypeScript takes a child longer than its whole work.
 * `names`: what stands for a package.
 */
export async function bundled(
  program: string,
  into: string,
  names: { readonly [name: string]: string } = {},
): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'silent',
    resolve: {
      alias: Object.entries(names).map(([find, to]) => ({ find: new RegExp(`^${find}$`), replacement: resolve(to) })),
    },
    build: {
      ssr: resolve(program),
      outDir: into,
      emptyOutDir: false,
      target: 'node20',
      rolldownOptions: { output: { format: 'es', entryFileNames: '[name].mjs', codeSplitting: false } },
    },
  })
  return join(into, `${basename(program, '.ts')}.mjs`)
}

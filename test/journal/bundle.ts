import { basename, join } from 'node:path'
import { build } from 'vite'

/** One file of a program and all that it imports, since starting TypeScript takes a child longer than its whole work. */
export async function bundled(program: string, into: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      ssr: join(import.meta.dirname, program),
      outDir: into,
      emptyOutDir: false,
      target: 'node20',
      rolldownOptions: { output: { format: 'es', entryFileNames: '[name].mjs' } },
    },
  })
  return join(into, `${basename(program, '.ts')}.mjs`)
}

import { writeFileSync } from 'node:fs'
import { changesPage } from './changes-page.ts'

writeFileSync(new URL('changes.md', import.meta.url), changesPage())

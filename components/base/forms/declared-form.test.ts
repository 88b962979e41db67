import { expect, test } from 'vitest'
import { z } from 'zod'
import { draftOf, emptyDraft, resourceForm, sentBy } from './declared-form'
import { linked, textLine, toggle } from './field-kinds'

const words = { name: 'users.state.on', on: 'users.state.on', off: 'users.state.off' } as const
const form = resourceForm(
  z.object({
    name: z.string().min(1),
    description: z.string().default('–'),
    active: z.boolean().default(true),
  }),
  {
    name: { as: textLine(), label: 'name' },
    description: { as: textLine(), label: 'description' },
    active: { as: toggle(words), label: 'state' },
    scope: { as: { ...linked, Input: () => null }, label: 'scope' },
  },
)

test('a new draft begins with the defaults of the input', () => {
  expect(emptyDraft(form)).toEqual({ name: '', description: '–', active: true, scope: undefined })
})

test('a draft of a document has its fields and the names of its links, and nothing else', () => {
  const links = [{ rel: 'scope', href: '/api/admin/scopes/7', title: 'Europe' }]
  const document = { id: 3, name: 'Albatros', description: '', active: false, usedIps: 12, links }
  expect(draftOf(form, document)).toEqual({
    name: 'Albatros',
    description: '',
    active: false,
    scope: { id: 7, name: 'Europe' },
  })
})

test('texts are sent without spaces around them, links as ids', () => {
  const draft = { ...emptyDraft(form), name: ' Albatros ', scope: { id: 7, name: 'Europe' } }
  expect(sentBy(form, draft)).toEqual({ name: 'Albatros', description: '–', active: true, scope: 7 })
})

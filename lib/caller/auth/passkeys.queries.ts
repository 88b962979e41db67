import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type {
  PasskeyDocument,
  PasskeyInput,
  passkeyCreationOptions,
  passkeyRequestOptions,
} from '#lib/caller/auth/passkey.schema'
import { api } from '#lib/client/api'
import { collectionQuery, pathKey, type Query } from '#lib/client/resources.queries'

const passkeysPath = '/api/session/passkeys'

export const ownPasskeysQuery = (query: Query) => collectionQuery<PasskeyDocument>(passkeysPath, query)

const ownPasskeysChanged = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: pathKey(passkeysPath) })

type CreationOptions = z.infer<typeof passkeyCreationOptions>

/** `ask`: has the browser make the passkey. */
export const addOwnPasskey = (ask: (options: CreationOptions) => Promise<PasskeyInput['response']>) =>
  mutationOptions({
    mutationFn: async (name: string) => {
      const options = await api<CreationOptions>(`${passkeysPath}/action/options`, {
        method: 'POST',
        body: {},
        once: false,
      })
      const body = { name, response: await ask(options) }
      return api<PasskeyDocument>(passkeysPath, { method: 'POST', body, once: false })
    },
    onSuccess: (_data, _name, _result, { client }) => ownPasskeysChanged(client),
    gcTime: 0,
  })

export const renameOwnPasskey = ({ id }: Pick<PasskeyDocument, 'id'>) =>
  mutationOptions({
    mutationFn: (name: string) =>
      api<PasskeyDocument>(`${passkeysPath}/${id}`, { method: 'PUT', body: { name } }),
    onSuccess: (_data, _name, _result, { client }) => ownPasskeysChanged(client),
  })

export const removeOwnPasskey = () =>
  mutationOptions({
    mutationFn: ({ id }: PasskeyDocument) => api<void>(`${passkeysPath}/${id}`, { method: 'DELETE' }),
    onSettled: (_data, _error, _passkey, _result, { client }) => ownPasskeysChanged(client),
  })

type RequestOptions = z.infer<typeof passkeyRequestOptions>

/** With a nick the passkey comes beside the password, in place of a code. */
export const requestPasskeyOptions = (nick?: string): Promise<RequestOptions> =>
  api<RequestOptions>('/api/session/passkey/options', {
    method: 'POST',
    body: nick === undefined ? {} : { nick },
    once: false,
  })

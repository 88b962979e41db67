import type { apiReference as english } from '#lib/words/en/api-reference'
import type { TranslationOf } from '#lib/words/words'

export const apiReference: TranslationOf<typeof english> = {
  title: 'API',
  about:
    'Todas las operaciones tal como las declara el servidor, en inglés. Lo que pruebe aquí se ejecuta en su nombre, con la sesión de esta consola.',
  loading: 'Cargando la descripción de la API',
  value: 'Valor',
}

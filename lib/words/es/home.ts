import type { home as english } from '#lib/words/en/home'
import type { TranslationOf } from '#lib/words/words'

export const home: TranslationOf<typeof english> = {
  title: 'Inicio',
  greeting: {
    morning: 'Buenos días, {name}',
    afternoon: 'Buenas tardes, {name}',
    evening: 'Buenas noches, {name}',
  },
  datacenters: {
    description: 'IP NAT en uso, sumadas todas las redes de cada centro de datos.',
    all: '{count, plural, =1 {El centro de datos} other {Los # centros de datos}}',
    loading: 'Cargando los centros de datos',
    look: 'Cómo mostrar el uso',
    chart: 'Gráfico',
    table: 'Tabla',
    chartLabel: 'Uso de las IP NAT de cada centro de datos',
    chartHint: 'El control de arriba muestra lo mismo en una tabla.',
    tableLabel: 'Uso de las IP NAT de cada centro de datos',
    datacenter: 'Centro de datos',
    used: 'IP en uso',
    share: 'Porcentaje en uso',
    ofIps: '{used, number} de {ips, number}',
    nearlyFull: 'Casi lleno',
    dismiss: 'Cerrar los detalles',
  },
  fullest: {
    title: 'Redes casi llenas',
    loading: 'Cargando las redes NAT',
    none: 'Todavía no hay ninguna red NAT. Cree una en un centro de datos.',
    full: 'Llena',
    nearlyFull: 'Casi llena, {count, plural, =1 {queda # IP} other {quedan # IP}}',
    allWell: 'Todo en orden: ninguna red tiene en uso el {share} o más de sus IP.',
  },
  events: {
    title: 'Eventos recientes',
    loading: 'Cargando los eventos',
    none: 'Todavía no hay eventos. Aquí se registran todos los cambios e inicios de sesión.',
    all: 'Todos los eventos',
  },
  signIn: {
    title: 'Su inicio de sesión',
    off: 'El segundo factor está desactivado',
    offWhy:
      'Su contraseña basta por sí sola para abrir esta cuenta. Con una aplicación de autenticación en su teléfono, una contraseña robada no es suficiente. Configurarlo lleva dos minutos.',
    setUp: 'Configurar el segundo factor',
    on: 'El segundo factor está activado',
    codesLeft:
      '{count, plural, =0 {No queda ningún código de reserva. Sin su teléfono no podría iniciar sesión.} =1 {Queda un código de reserva.} other {Quedan # códigos de reserva.}}',
    newCodes: 'En Mi cuenta puede generar diez nuevos.',
    account: 'Mi cuenta',
  },
  access: {
    title: 'Su acceso',
    reach: 'Puede ver',
    reaches: {
      everything: 'Todos los centros de datos y todas las empresas',
      allDatacenters: 'Todos los centros de datos, y las empresas del ámbito',
      allEnterprises: 'Todas las empresas, y los centros de datos del ámbito',
      scope: 'Los centros de datos y las empresas del ámbito',
    },
  },
  noDatacenter: {
    none: 'Todavía no hay centros de datos',
    unseen: 'No tiene acceso a ningún centro de datos',
    ask: 'Su ámbito no incluye ningún centro de datos. Pida a un administrador que le añada uno.',
  },
  firstSteps: {
    title: 'Primeros pasos',
    about: 'De una instalación vacía a IP NAT que sus compañeros puedan usar.',
    allDone: 'Todos los pasos están hechos.',
    dismiss: 'Ocultar los primeros pasos; Ayuda los vuelve a mostrar',
    show: 'Mostrar los primeros pasos',
    done: 'Hecho',
    steps: {
      datacenter: {
        title: 'Crear un centro de datos',
        why: 'Representa un lugar con racks y dispositivos de red.',
        action: 'Crear centro de datos',
      },
      device: {
        title: 'Añadirle un dispositivo',
        why: 'El dispositivo traduce las direcciones; por ejemplo, un router o un cortafuegos.',
        action: 'Crear dispositivo',
      },
      network: {
        title: 'Crear una red NAT en el dispositivo',
        why: 'Es un rango de direcciones públicas.',
        action: 'Crear red NAT',
      },
      ips: {
        title: 'Añadir IP a la red',
        why: 'Las empresas pueden tomar estas IP y usarlas en reglas NAT.',
        action: 'Añadir IP',
      },
      scope: {
        title: 'Crear un ámbito',
        why: 'Decide qué empresas y centros de datos ve un administrador.',
        action: 'Crear ámbito',
      },
      colleague: {
        title: 'Invitar a un compañero',
        why: 'Cada usuario recibe un rol, que decide lo que puede hacer, y un ámbito.',
        action: 'Crear usuario',
      },
      twoFactor: {
        title: 'Proteger su propio inicio de sesión',
        why: 'Con el segundo factor, una contraseña robada no basta para iniciar sesión.',
        action: 'Configurar el segundo factor',
      },
    },
  },
}

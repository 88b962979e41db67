# Copyright (c) Cloud Console
# GNU General Public License v3.0+ (see https://www.gnu.org/licenses/gpl-3.0.txt)
"""Carries out a document of what should be, as a plan: it is tried as a whole, shown, and applied in one transaction."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.cloud.console.plugins.module_utils.console import CONNECTION, Console, ConsoleError, link_of

# Others may change the same things between the plan and its application, which is refused then.
ATTEMPTS = 3


def planned_by(arguments, no_log=False):
    """A module that takes these arguments beside those of the connection. Without a log its arguments are not in that of the system."""
    spec = dict(CONNECTION)
    spec.update(arguments)
    return AnsibleModule(argument_spec=spec, supports_check_mode=True, no_log=no_log)


def carry_out(module, document):
    """Ends the module: changed if what is there was not what should be."""
    try:
        console = Console.of(module.params)
        module.exit_json(**carried_out(console, document, module.check_mode))
    except Refused as error:
        module.fail_json(msg=str(error), refusals=error.refusals)
    except ConsoleError as error:
        module.fail_json(msg=str(error))


class Refused(Exception):
    """Rules that refuse the plan."""

    def __init__(self, refusals):
        super(Refused, self).__init__('The plan is refused:\n' + '\n'.join(line_of(each) for each in refusals))
        self.refusals = refusals


def line_of(refusal):
    about = ' '.join(refusal[name] for name in ('entity', 'name', 'field') if refusal.get(name))
    return '%s: %s: %s' % (about, refusal['code'], refusal['message'])


def carried_out(console, document, is_check):
    for attempt in range(ATTEMPTS):
        plan = console.post('/plans', document)
        if plan['refused']:
            raise Refused(plan['refusals'])
        operations = plan['operations']
        result = dict(changed=bool(operations), operations=operations, diff=diff_of(operations))
        if is_check or not operations:
            return result
        try:
            applied = console.post('/plans/%d/action/apply' % plan['id'])
            return dict(result, event=link_of(applied, 'event'))
        except ConsoleError as error:
            if 'PLAN-1' not in error.codes or attempt == ATTEMPTS - 1:
                raise


def diff_of(operations):
    """What is there and what should be, for --diff."""
    return dict(before=side_of(operations, 'before'), after=side_of(operations, 'after'))


def side_of(operations, side):
    lines = []
    for operation in operations:
        if operation['operation'] != {'before': 'create', 'after': 'delete'}[side]:
            place = operation.get('place')
            lines.append('%s %s%s' % (operation['entity'], operation['name'], ' (%s)' % place if place else ''))
            lines += ['  %s: %s' % (each['field'], each[side]) for each in operation['changes'] if side in each]
    return ''.join(line + '\n' for line in lines)


def run_for(entity, options):
    """The module of one thing. The options name the members of the API."""
    arguments = dict((name, spec) for name, (member, spec) in options.items())
    arguments['state'] = dict(type='str', choices=['present', 'absent'], default='present')
    module = planned_by(arguments)
    wanted = dict((member, module.params[name]) for name, (member, spec) in options.items() if module.params[name] is not None)
    wanted['absent'] = module.params['state'] == 'absent'
    carry_out(module, {entity: [wanted]})

"""The Chalice app: which doors there are. What happens behind them is in `chalicelib`."""

from chalicelib.api.rest.blueprint import Front
from chalicelib.api.rest.blueprint import blueprint as rest
from chalicelib.wiring import journal, services
from chalicelib.workers.blueprint import blueprint as workers

app = Front(app_name="acervo", configure_logs=False)
app.register_blueprint(rest(services, journal))
app.register_blueprint(workers)

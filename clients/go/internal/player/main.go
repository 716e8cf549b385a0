// Command player makes the calls of a file on a store; fixtures/clients/README.md says what a player is.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	asg "github.com/agentstategraph/agentstategraph-go"
)

func main() {
	if err := play(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func play(address, file, agent string) error {
	ctx := context.Background()
	db, err := open(ctx, address, agent)
	if err != nil {
		return err
	}
	defer db.Close()
	calls, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	for _, line := range strings.Split(string(calls), "\n") {
		if line == "" {
			continue
		}
		answer, err := call(ctx, db, line)
		if err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
		fmt.Fprintf(output, "%s\n", strings.TrimSpace(answer.String()))
	}
	return nil
}

func open(ctx context.Context, address, agent string) (*asg.Client, error) {
	if strings.HasPrefix(address, "http") {
		return asg.Connect(ctx, address, os.Getenv("ASG_TOKEN"))
	}
	return asg.Open(ctx, address, asg.Agent(agent))
}

func call(ctx context.Context, db *asg.Client, line string) (asg.Value, error) {
	name, text, _ := strings.Cut(line, " ")
	var fields map[string]asg.Value
	if err := json.Unmarshal([]byte(text), &fields); err != nil {
		return nil, err
	}
	var options []asg.Option
	for field, value := range fields {
		options = append(options, asg.Field(field, value))
	}
	answer, err := db.Call(ctx, name, options...)
	var told *asg.Error
	if errors.As(err, &told) && told.Code != asg.OutcomeUnknown {
		return asg.Value(fmt.Sprintf(`{"error":%q}`, told.Code)), nil
	}
	return answer, err
}
